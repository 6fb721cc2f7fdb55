//! From text to a postfix program.

use std::f64::consts::{E, PI, TAU};
use std::ops::Range;

use super::function::{BINARY, Binary, UNARY, Unary};
use super::{MAX_DEPTH, Op};

/// Nesting of parentheses and signs that is still read.
const MAX_NESTING: usize = 64;

type Fault = (Range<usize>, String);

/// Precedence of a leading minus: above `*`, below `^`.
const SIGN: u8 = 3;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Token<'a> {
    Number(f64),
    Name(&'a str),
    Symbol(char),
    End,
}

pub(super) fn parse(text: &str) -> Result<Vec<Op>, Fault> {
    let mut parser = Parser {
        text,
        token: Token::End,
        range: 0..0,
        at: 0,
        program: Vec::new(),
        depth: 0,
        nesting: 0,
    };
    parser.advance()?;
    parser.expression(0)?;
    if parser.token != Token::End {
        return Err(parser.unexpected("an operator such as + - * / ^, or the end"));
    }
    Ok(parser.program)
}

struct Parser<'a> {
    text: &'a str,
    token: Token<'a>,
    range: Range<usize>,
    /// Where the next token starts.
    at: usize,
    program: Vec<Op>,
    /// Operands on the stack at this point of the program.
    depth: usize,
    nesting: usize,
}

impl<'a> Parser<'a> {
    fn advance(&mut self) -> Result<(), Fault> {
        let rest = self.text[self.at..].trim_start();
        let start = self.text.len() - rest.len();
        let Some(first) = rest.chars().next() else {
            self.range = start..start;
            self.at = start;
            self.token = Token::End;
            return Ok(());
        };
        let length = if first.is_ascii_digit() || first == '.' {
            number_length(rest)
        } else if first.is_alphabetic() || first == '_' {
            rest.find(|c: char| !(c.is_alphanumeric() || c == '_'))
                .unwrap_or(rest.len())
        } else if rest.starts_with("**") {
            2
        } else {
            first.len_utf8()
        };
        self.range = start..start + length;
        self.at = self.range.end;
        let word = &self.text[self.range.clone()];
        self.token = if first.is_ascii_digit() || first == '.' {
            match word.parse::<f64>() {
                Ok(number) if number.is_finite() => Token::Number(number),
                _ => return Err((self.range.clone(), format!("\"{word}\" is not a number"))),
            }
        } else if first.is_alphabetic() || first == '_' {
            Token::Name(word)
        } else {
            Token::Symbol(if word == "**" { '^' } else { first })
        };
        Ok(())
    }

    fn unexpected(&self, expected: &str) -> Fault {
        let found = match &self.text[self.range.clone()] {
            "" => "the end".to_owned(),
            word => format!("\"{word}\""),
        };
        (
            self.range.clone(),
            format!("found {found}, expected {expected}"),
        )
    }

    fn emit(&mut self, op: Op) -> Result<(), Fault> {
        match op {
            Op::Number(_) | Op::Time => self.depth += 1,
            Op::Binary(_) => self.depth -= 1,
            Op::Unary(_) => {}
        }
        if self.depth > MAX_DEPTH {
            return Err((
                self.range.clone(),
                "the formula is nested too deeply".to_owned(),
            ));
        }
        self.program.push(op);
        Ok(())
    }

    /// Precedence climbing: reads everything that binds at least as strongly as `lowest`.
    fn expression(&mut self, lowest: u8) -> Result<(), Fault> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err((
                self.range.clone(),
                "the formula is nested too deeply".to_owned(),
            ));
        }
        self.operand()?;
        loop {
            let (operator, strength, right) = match self.token {
                Token::Symbol('+') => (Binary::Add, 1, 2),
                Token::Symbol('-') => (Binary::Subtract, 1, 2),
                Token::Symbol('*' | '·') => (Binary::Multiply, 2, 3),
                Token::Symbol('/') => (Binary::Divide, 2, 3),
                // A power groups to the right.
                Token::Symbol('^') => (Binary::Power, 4, 4),
                _ => break,
            };
            if strength < lowest {
                break;
            }
            self.advance()?;
            self.expression(right)?;
            self.emit(Op::Binary(operator))?;
        }
        self.nesting -= 1;
        Ok(())
    }

    fn operand(&mut self) -> Result<(), Fault> {
        match self.token {
            Token::Number(number) => {
                self.emit(Op::Number(number))?;
                self.advance()
            }
            Token::Symbol('-') => {
                self.advance()?;
                self.expression(SIGN)?;
                self.emit(Op::Unary(Unary::Negate))
            }
            Token::Symbol('+') => {
                self.advance()?;
                self.expression(SIGN)
            }
            Token::Symbol('(') => {
                self.advance()?;
                self.expression(0)?;
                self.expect(')')
            }
            Token::Name(name) => self.name(name),
            _ => Err(self.unexpected("a number, t, a function or \"(\"")),
        }
    }

    fn expect(&mut self, symbol: char) -> Result<(), Fault> {
        if self.token != Token::Symbol(symbol) {
            return Err(self.unexpected(&format!("\"{symbol}\"")));
        }
        self.advance()
    }

    fn name(&mut self, name: &'a str) -> Result<(), Fault> {
        let constant = match name {
            "t" => Some(Op::Time),
            "pi" | "PI" | "π" => Some(Op::Number(PI)),
            "tau" | "TAU" | "τ" => Some(Op::Number(TAU)),
            "e" | "E" => Some(Op::Number(E)),
            _ => None,
        };
        if let Some(op) = constant {
            self.emit(op)?;
            return self.advance();
        }
        if let Some((_, function)) = UNARY.iter().find(|(known, _)| *known == name) {
            self.advance()?;
            self.expect('(')?;
            self.expression(0)?;
            self.expect(')')?;
            return self.emit(Op::Unary(*function));
        }
        if let Some((_, function)) = BINARY.iter().find(|(known, _)| *known == name) {
            self.advance()?;
            self.expect('(')?;
            self.expression(0)?;
            self.expect(',')?;
            self.expression(0)?;
            self.expect(')')?;
            return self.emit(Op::Binary(*function));
        }
        let functions: Vec<&str> = UNARY
            .iter()
            .map(|f| f.0)
            .chain(BINARY.iter().map(|f| f.0))
            .collect();
        let reason = format!(
            "unknown name \"{name}\"; known are t, pi, tau, e and the functions {}",
            functions.join(", ")
        );
        Err((self.range.clone(), reason))
    }
}

/// Length of a number such as `12`, `.5`, `1e-3` at the start of `text`.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    let mut end = digits(0);
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        if exponent > end + 1 + sign {
            end = exponent;
        }
    }
    end
}
