//! The codes of problems. A code never changes its meaning; a retired one is not used again.

use super::Severity::{self, Error, Warning};

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $code:literal, $severity:expr, $hint:literal;)+) => {
        /// A stable code for a kind of problem.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code { $($(#[doc = $doc])+ $name,)+ }

        impl Code {
            /// Every code, in order.
            pub const ALL: &[Code] = &[$(Code::$name),+];

            /// The code as it is printed, such as `S002`.
            pub fn id(self) -> &'static str {
                match self { $(Code::$name => $code,)+ }
            }

            /// How bad it is.
            pub fn severity(self) -> Severity {
                match self { $(Code::$name => $severity,)+ }
            }

            /// What to do about it.
            pub fn hint(self) -> &'static str {
                match self { $(Code::$name => $hint,)+ }
            }

            /// What it means, in a sentence.
            pub fn meaning(self) -> &'static str {
                match self { $(Code::$name => concat!($($doc),+).trim_ascii_start(),)+ }
            }
        }
    };
}

codes! {
    /// The file is not valid UTF-8.
    InvalidUtf8 = "S001", Error, "save the file as UTF-8";
    /// The file holds nothing.
    EmptyFile = "S002", Error, "check that the file was written or downloaded completely";
    /// The text does not follow the syntax of its format.
    Syntax = "S003", Error, "mend the syntax at this place; a cut-off file must be fetched again";
    /// A line is longer than any sensible record.
    LineTooLong = "S004", Error, "put one record on each line";
    /// A key stands twice in one object; the last value is used.
    RepeatedKey = "S005", Warning, "remove one of the two";
    /// The file starts with a byte order mark.
    ByteOrderMark = "S006", Warning, "save the file as UTF-8 without a byte order mark";
    /// The system could not read a file or folder.
    Unreadable = "S007", Error, "check the path and its permissions";
    /// A file is larger than any we read.
    TooLarge = "S008", Error, "split it into several files";
    /// A value has the wrong type.
    WrongType = "F001", Error, "see the format's reference for the type of this field";
    /// A field that must be there is missing.
    MissingField = "F002", Error, "add the field";
    /// A field the format does not know.
    UnknownField = "F003", Warning, "remove it, or correct its spelling; it is ignored";
    /// A key our own task format does not know.
    UnknownKey = "F004", Error, "correct its spelling or remove it";
    /// A value is not one of the words allowed here.
    UnknownWord = "F005", Error, "use one of the words listed";
    /// A list stands as a single string.
    StringForList = "F006", Warning, "write it as a list; it is read as a list of one";
    /// A field the schema asks for is missing, but the task can do without it.
    AbsentField = "F007", Warning, "add the field, or `-` if there is nothing to say";
    /// The format of a file cannot be told.
    UnknownFormat = "F008", Error, "name it .toml, .json or .jsonl and give it the fields of one of the formats";
    /// A file among task files holds no task.
    NotATask = "F009", Warning, "move it elsewhere, or correct it; the folder is loaded without it";
    /// A folder holds no task file.
    NoTaskFile = "F010", Error, "name a file, or a folder with .toml, .json or .jsonl files";
    /// Two tasks or instances have the same id.
    RepeatedId = "T001", Error, "give each its own id";
    /// The task says nothing about what to do.
    NoDescription = "T002", Error, "add a definition or a prompt";
    /// The task has no positive example.
    NoPositiveExample = "T003", Warning, "add an example or two: they help most models more than anything else";
    /// A positive and a negative example have the same input and output.
    ContradictingExamples = "T004", Warning, "remove one of the two";
    /// An instance has no gold output although others have one.
    NoOutput = "T005", Warning, "add the output, or leave the instance out of scoring";
    /// An input is empty.
    EmptyInput = "T006", Warning, "fill it in or remove it";
    /// An instance stands twice with the same input and outputs.
    RepeatedInstance = "T007", Warning, "remove one of the two";
    /// An output is not among the task's labels, or not of the kind the task asks for.
    OutputOfOtherKind = "T008", Warning, "correct the output or the kind of answer";
    /// An example of the description is also an instance.
    ExampleIsInstance = "T009", Warning, "scores on it measure copying; leave the instance out of evaluation";
    /// A set of labels is empty, has one member, or has a label twice.
    BadLabels = "T010", Error, "list at least two different labels";
    /// Instances lack ids although the format has them.
    NoInstanceId = "T011", Warning, "add ids; until then an instance is known by its position";
    /// An annotated item has another number of labels than the rest.
    LabelCount = "T012", Warning, "items without five labels do not count as agreed";
    /// A task derives from a task that is not in the dataset.
    UnknownBase = "T013", Warning, "its score cannot be paired with its base task";
    /// The same input has different outputs in a task with a closed set of answers.
    ContradictingInstances = "T014", Warning, "decide which one is right";
    /// Every instance of a task has the same output.
    OneOutput = "T015", Warning, "a fixed answer scores full marks; add instances with other outputs";
    /// A text holds U+FFFD, which stands where bytes could not be decoded.
    DamagedText = "T016", Warning, "restore the text from its source";
}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn no_code_stands_twice() {
        let ids: std::collections::BTreeSet<_> = Code::ALL.iter().map(|code| code.id()).collect();
        assert_eq!(ids.len(), Code::ALL.len());
    }

    #[test]
    fn every_code_says_what_it_means() {
        assert_eq!(Code::EmptyFile.meaning(), "The file holds nothing.");
        assert!(Code::ALL.iter().all(|code| code.meaning().ends_with('.') && !code.hint().ends_with('.')));
    }
}
