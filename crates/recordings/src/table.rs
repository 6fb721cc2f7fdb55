//! A table of columns, as it stands in a file.

/// Named columns of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DataTable {
    /// The file, for messages.
    pub file: String,
    /// Names, as the header has them.
    pub names: Vec<String>,
    /// Units of a second header line; empty where there is none.
    pub units: Vec<String>,
    /// One list of values per column; NaN where a cell is empty or no number.
    pub columns: Vec<Vec<f64>>,
    /// Line of each row.
    pub lines: Vec<u64>,
    /// What had to be understood on the way.
    pub notes: Vec<String>,
}
