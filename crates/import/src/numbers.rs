//! Numbers as a scenario has them.

use nalgebra::{UnitQuaternion, Vector3};

/// A number as TOML text: the shortest that reads back to it, or one that differs in the 15th digit where it
/// is much shorter (1.5708 for 1.5707999999999998, the dust of a rotation).
pub(crate) fn number(x: f64) -> String {
    let exact = shortest(x);
    let rounded = format!("{x:.14e}").parse().map_or(exact.clone(), shortest);
    if rounded.len() + 3 <= exact.len() {
        rounded
    } else {
        exact
    }
}

fn shortest(x: f64) -> String {
    // a signed zero reads as a mistake
    let x = if x == 0.0 { 0.0 } else { x };
    let size = x.abs();
    if size != 0.0 && !(1e-4..1e9).contains(&size) {
        format!("{x:e}")
    } else if x.fract() == 0.0 {
        format!("{x}")
    } else {
        format!("{x:?}")
    }
}

/// A vector as TOML text; what is nothing beside its largest component is 0.
pub(crate) fn vector(v: &Vector3<f64>) -> String {
    let dust = v.amax() * 1e-16;
    let component = |x: f64| number(if x.abs() <= dust { 0.0 } else { x });
    format!(
        "[{}, {}, {}]",
        component(v.x),
        component(v.y),
        component(v.z)
    )
}

/// A rotation as the table of a scenario; `None` for no rotation.
pub(crate) fn orientation(rotation: &UnitQuaternion<f64>) -> Option<String> {
    let (axis, angle) = rotation.axis_angle()?;
    if angle.abs() < 1e-15 {
        return None;
    }
    let clean = axis.map(|x| if x.abs() < 1e-16 { 0.0 } else { x });
    Some(format!(
        "{{ axis = {}, angle = {} }}",
        vector(&clean),
        number(angle)
    ))
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_short_and_read_back() {
        assert_eq!(number(1.570_799_999_999_999_8), "1.5708");
        assert_eq!(number(-0.0), "0");
        assert_eq!(number(3.5e-7), "3.5e-7");
        assert_eq!(number(0.1), "0.1");
        for x in [1.0 / 3.0, std::f64::consts::PI, 12_345.678_901_234_567] {
            let back: f64 = number(x).parse().unwrap_or(f64::NAN);
            // fifteen digits
            assert!((back - x).abs() <= 5e-15 * x.abs(), "{x}");
        }
    }
}
