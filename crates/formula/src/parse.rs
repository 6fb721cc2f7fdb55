//! From text to a postfix program.

use std::f64::consts::{E, PI, TAU};
use std::ops::Range;

use crate::{BINARY, Binary, Formula, FormulaError, MAX_DEPTH, Op, UNARY, Unary};

/// Nesting of parentheses and signs that is still read.
const MAX_NESTING: usize = 64;

/// Precedence of a leading minus: above `*`, below `^`.
const SIGN: u8 = 3;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Token<'a> {
    Number(f64),
    Name(&'a str),
    Symbol(char),
    End,
}

pub(crate) fn parse(text: &str, names: &[&str]) -> Result<Formula, FormulaError> {
    let mut parser = Parser {
        text,
        names,
        token: Token::End,
        range: 0..0,
        at: 0,
        ops: Vec::new(),
        places: Vec::new(),
        depth: 0,
        nesting: 0,
    };
    parser.advance()?;
    parser.expression(0)?;
    if parser.token != Token::End {
        return Err(parser.unexpected("an operator such as + - * / ^, or the end"));
    }
    Ok(Formula {
        ops: parser.ops,
        places: parser.places,
    })
}

fn fault(range: Range<usize>, reason: impl Into<String>) -> FormulaError {
    FormulaError {
        range,
        reason: reason.into(),
        unknown: None,
    }
}

struct Parser<'a> {
    text: &'a str,
    names: &'a [&'a str],
    token: Token<'a>,
    range: Range<usize>,
    /// Where the next token starts.
    at: usize,
    ops: Vec<Op>,
    places: Vec<Range<usize>>,
    /// Operands on the stack at this point of the program.
    depth: usize,
    nesting: usize,
}

impl<'a> Parser<'a> {
    fn advance(&mut self) -> Result<(), FormulaError> {
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
            self.name_length(rest)
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
                _ => {
                    let reason = format!("\"{word}\" is not a number");
                    return Err(fault(self.range.clone(), reason));
                }
            }
        } else if first.is_alphabetic() || first == '_' {
            Token::Name(word)
        } else {
            Token::Symbol(if word == "**" { '^' } else { first })
        };
        Ok(())
    }

    fn unexpected(&self, expected: &str) -> FormulaError {
        let found = match &self.text[self.range.clone()] {
            "" => "the end".to_owned(),
            word => format!("\"{word}\""),
        };
        fault(
            self.range.clone(),
            format!("found {found}, expected {expected}"),
        )
    }

    fn emit(&mut self, op: Op, place: Range<usize>) -> Result<(), FormulaError> {
        match op {
            Op::Number(_) | Op::Name(_) => self.depth += 1,
            Op::Binary(_) => self.depth -= 1,
            Op::Unary(_) => {}
        }
        if self.depth > MAX_DEPTH {
            return Err(self.too_deep());
        }
        self.ops.push(op);
        self.places.push(place);
        Ok(())
    }

    fn too_deep(&self) -> FormulaError {
        fault(self.range.clone(), "the formula is nested too deeply")
    }

    /// Precedence climbing: reads everything that binds at least as strongly as `lowest`.
    fn expression(&mut self, lowest: u8) -> Result<(), FormulaError> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(self.too_deep());
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
            let place = self.range.clone();
            self.advance()?;
            self.expression(right)?;
            self.emit(Op::Binary(operator), place)?;
        }
        self.nesting -= 1;
        Ok(())
    }

    fn operand(&mut self) -> Result<(), FormulaError> {
        let place = self.range.clone();
        match self.token {
            Token::Number(number) => {
                self.emit(Op::Number(number), place)?;
                self.advance()
            }
            Token::Symbol('-') => {
                self.advance()?;
                self.expression(SIGN)?;
                self.emit(Op::Unary(Unary::Negate), place)
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
            Token::Symbol('|') => {
                self.advance()?;
                self.expression(0)?;
                self.expect('|')?;
                self.emit(Op::Unary(Unary::Abs), place)
            }
            Token::Name(name) => self.name(name),
            _ => {
                let variable = match self.names {
                    [one] => one,
                    _ => "a name",
                };
                Err(self.unexpected(&format!("a number, {variable}, a function or \"(\"")))
            }
        }
    }

    fn expect(&mut self, symbol: char) -> Result<(), FormulaError> {
        if self.token != Token::Symbol(symbol) {
            return Err(self.unexpected(&format!("\"{symbol}\"")));
        }
        self.advance()
    }

    /// Length of the name at the start of `rest`.
    fn name_length(&self, rest: &str) -> usize {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let with_slash = self.names.iter().find(|name| {
            let after = rest.strip_prefix(**name);
            name.contains('/') && after.is_some_and(|after| !after.starts_with(is_part))
        });
        with_slash.map_or_else(
            || rest.find(|c| !is_part(c)).unwrap_or(rest.len()),
            |name| name.len(),
        )
    }

    fn name(&mut self, name: &'a str) -> Result<(), FormulaError> {
        let place = self.range.clone();
        let constant = match name {
            "pi" | "PI" | "π" => Some(Op::Number(PI)),
            "tau" | "TAU" | "τ" => Some(Op::Number(TAU)),
            "e" | "E" => Some(Op::Number(E)),
            _ => None,
        };
        let known = self.names.iter().position(|known| *known == name);
        if let Some(op) = known.map(Op::Name).or(constant) {
            self.emit(op, place)?;
            return self.advance();
        }
        if let Some((_, function)) = UNARY.iter().find(|(known, _)| *known == name) {
            self.advance()?;
            self.expect('(')?;
            self.expression(0)?;
            self.expect(')')?;
            return self.emit(Op::Unary(*function), place);
        }
        if let Some((_, function)) = BINARY.iter().find(|(known, _)| *known == name) {
            self.advance()?;
            self.expect('(')?;
            self.expression(0)?;
            self.expect(',')?;
            self.expression(0)?;
            self.expect(')')?;
            return self.emit(Op::Binary(*function), place);
        }
        let functions: Vec<&str> = UNARY
            .iter()
            .map(|f| f.0)
            .chain(BINARY.iter().map(|f| f.0))
            .collect();
        let reason = format!(
            "unknown name \"{name}\"; known are {}, pi, tau, e and the functions {}",
            self.names.join(", "),
            functions.join(", ")
        );
        Err(FormulaError {
            range: place,
            reason,
            unknown: Some(name.to_owned()),
        })
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
