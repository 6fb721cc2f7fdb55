//! Paths as SVG writes them, traced with a pen.

/// What follows a path.
pub(super) trait PathPen {
    fn move_to(&mut self, to: [f32; 2]);
    fn line_to(&mut self, to: [f32; 2]);
    /// Two handles and the end of a Bézier curve.
    fn cubic_to(&mut self, points: [[f32; 2]; 3]);
    fn close(&mut self);
}

/// Traces the path data `d`: the commands M, L, H, V, C and Z with absolute places.
pub(super) fn trace(pen: &mut dyn PathPen, d: &str) {
    let (mut here, mut numbers, mut command) = ([0.0_f32; 2], Vec::new(), ' ');
    for word in words(d) {
        match word {
            PathWord::Command('Z' | 'z') => {
                pen.close();
                command = 'M';
            }
            PathWord::Command(c) => {
                (command, numbers) = (c, Vec::new());
            }
            PathWord::Number(x) => {
                numbers.push(x);
                if draw(pen, command, &numbers, &mut here) {
                    numbers.clear();
                    if command == 'M' {
                        command = 'L';
                    }
                }
            }
        }
    }
}

/// Draws a command once it has all its numbers; whether it had.
fn draw(pen: &mut dyn PathPen, command: char, numbers: &[f32], here: &mut [f32; 2]) -> bool {
    match (command, numbers) {
        ('M', &[x, y]) => {
            pen.move_to([x, y]);
            *here = [x, y];
        }
        ('L', &[x, y]) => {
            pen.line_to([x, y]);
            *here = [x, y];
        }
        ('H', &[x]) => {
            pen.line_to([x, here[1]]);
            here[0] = x;
        }
        ('V', &[y]) => {
            pen.line_to([here[0], y]);
            here[1] = y;
        }
        ('C', &[a, b, c, d, x, y]) => {
            pen.cubic_to([[a, b], [c, d], [x, y]]);
            *here = [x, y];
        }
        _ => return false,
    }
    true
}

enum PathWord {
    Command(char),
    Number(f32),
}

fn words(d: &str) -> Vec<PathWord> {
    let mut found = Vec::new();
    let mut start = None;
    let ends = d.char_indices().chain([(d.len(), ' ')]);
    for (i, c) in ends {
        let of_number = c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e' | 'E');
        // a sign begins a number, but behind an exponent
        let sign = matches!(c, '-' | '+') && !d[..i].ends_with(['e', 'E']);
        if (!of_number || sign)
            && let Some(from) = start.take()
        {
            found.extend(d[from..i].parse().ok().map(PathWord::Number));
        }
        if of_number {
            start = start.or(Some(i));
        } else if c.is_ascii_alphabetic() {
            found.push(PathWord::Command(c));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keeps what it is asked to draw.
    #[derive(Default)]
    struct Noted(Vec<String>);

    impl PathPen for Noted {
        fn move_to(&mut self, [x, y]: [f32; 2]) {
            self.0.push(format!("{x} {y} m"));
        }

        fn line_to(&mut self, [x, y]: [f32; 2]) {
            self.0.push(format!("{x} {y} l"));
        }

        fn cubic_to(&mut self, points: [[f32; 2]; 3]) {
            let points = points.map(|[x, y]| format!("{x} {y}"));
            self.0.push(format!("{} c", points.join(" ")));
        }

        fn close(&mut self) {
            self.0.push("h".to_owned());
        }
    }

    #[test]
    fn commands_are_traced_in_order() {
        let mut noted = Noted::default();
        trace(&mut noted, "M1 2L3-4 5,6H7V8C1 2 3 4 5 6Z");
        let expected = [
            "1 2 m",
            "3 -4 l",
            "5 6 l",
            "7 6 l",
            "7 8 l",
            "1 2 3 4 5 6 c",
            "h",
        ];
        assert_eq!(noted.0, expected);
    }
}
