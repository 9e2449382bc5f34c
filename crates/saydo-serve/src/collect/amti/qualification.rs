//! What workers of Mechanical Turk must have shown: the platform's own records of them, and a test of ours with a pass mark.

use super::super::Asked;
use super::super::export::File;
use super::super::given::Given;
use super::pretty;
use crate::failure::{Answered, Failure};
use crate::project::{Project, Requirements};
use rusqlite::Connection;
use serde_json::{Value, json};

/// The platform's ids of what it knows of workers.
const APPROVAL: &str = "000000000000000000L0";
const APPROVED: &str = "00000000000000000040";
const LOCALE: &str = "00000000000000000071";

/// The requirements as `hittypeproperties.json` has them.
pub(super) fn requirements(asked: &Requirements) -> Value {
    let at_least = |id: &str, value: u32| {
        json!({
            "QualificationTypeId": id, "Comparator": "GreaterThanOrEqualTo", "IntegerValues": [value],
            "ActionsGuarded": "DiscoverPreviewAndAccept",
        })
    };
    let mut listed = Vec::new();
    if asked.approval > 0 {
        listed.push(at_least(APPROVAL, asked.approval));
    }
    if asked.approved > 0 {
        listed.push(at_least(APPROVED, asked.approved));
    }
    if !asked.country.is_empty() {
        listed.push(json!({
            "QualificationTypeId": LOCALE, "Comparator": "EqualTo", "LocaleValues": [{"Country": asked.country}],
            "ActionsGuarded": "DiscoverPreviewAndAccept",
        }));
    }
    if !asked.test.is_empty() {
        listed.push(at_least(&asked.test, asked.pass_mark));
    }
    json!(listed)
}

/// A folder for `amti create-qualificationtype`: the project's qualification items whose answer is yes, no or NA. The platform
/// cannot grade words of a text. None if there is no such item.
pub(super) fn test(db: &Connection, project: &Project) -> Answered<Vec<File>> {
    let query = "SELECT id, payload, gold FROM item WHERE project = ?1 AND gold IS NOT NULL ORDER BY id";
    let mut statement = db.prepare_cached(query)?;
    let rows = statement.query_map([project.id], |row| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?, row.get::<_, String>(2)?))
    })?;
    let mut items = Vec::new();
    for row in rows {
        let (id, payload, gold) = row?;
        let right = match Given::kept(&gold)? {
            Given::Yes => "yes",
            Given::No => "no",
            Given::Na => "na",
            _ => continue,
        };
        let payload = serde_json::from_str(&payload).map_err(Failure::internal)?;
        items.push((format!("q{id}"), Asked::of(&payload)?, right));
    }
    if items.is_empty() {
        return Ok(Vec::new());
    }
    let properties = json!({
        "Name": format!("{} test {}", project.name, project.id),
        "Keywords": "reading, question",
        "Description": format!("Questions about short texts; {}% must be right.", project.settings.requirements.pass_mark),
        "QualificationTypeStatus": "Active",
        "RetryDelayInSeconds": 604_800,
        "TestDurationInSeconds": 3600,
    });
    let file = |name: &str, bytes: Vec<u8>| (format!("qualification/definition/{name}"), bytes);
    Ok(vec![
        file("qualificationtypeproperties.json", pretty(&properties)),
        file("test.xml", form(&items).into_bytes()),
        file("answerkey.xml", key(&items).into_bytes()),
    ])
}

fn form(items: &[(String, Asked, &str)]) -> String {
    let question = |(id, asked, _): &(String, Asked, &str)| {
        let selection = |(value, text): (&str, &str)| {
            format!("<Selection><SelectionIdentifier>{value}</SelectionIdentifier><Text>{text}</Text></Selection>")
        };
        let selections: String =
            [("yes", "Yes"), ("no", "No"), ("na", "The text does not say")].into_iter().map(selection).collect();
        format!(
            "<Question><QuestionIdentifier>{id}</QuestionIdentifier><IsRequired>true</IsRequired><QuestionContent>\
             <Text>{}</Text><Text>{}</Text></QuestionContent><AnswerSpecification><SelectionAnswer>\
             <StyleSuggestion>radiobutton</StyleSuggestion><Selections>{selections}</Selections></SelectionAnswer>\
             </AnswerSpecification></Question>\n",
            escaped(&asked.passage),
            escaped(&asked.question)
        )
    };
    format!(
        "<QuestionForm xmlns=\"http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2017-11-06/QuestionForm.xsd\">\n\
         <Overview><Text>Answer each question from the text above it alone; what you know besides does not count.</Text>\
         </Overview>\n{}</QuestionForm>\n",
        items.iter().map(question).collect::<String>()
    )
}

/// The key: a point for each right answer, mapped to percent.
fn key(items: &[(String, Asked, &str)]) -> String {
    let question = |(id, _, right): &(String, Asked, &str)| {
        format!(
            "<Question><QuestionIdentifier>{id}</QuestionIdentifier><AnswerOption><SelectionIdentifier>{right}\
             </SelectionIdentifier><AnswerScore>1</AnswerScore></AnswerOption></Question>\n"
        )
    };
    format!(
        "<AnswerKey xmlns=\"http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2005-10-01/AnswerKey.xsd\">\n{}\
         <QualificationValueMapping><PercentageMapping><MaximumSummedScore>{}</MaximumSummedScore></PercentageMapping>\
         </QualificationValueMapping></AnswerKey>\n",
        items.iter().map(question).collect::<String>(),
        items.len()
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requirements_that_are_off_are_not_listed() {
        let none = Requirements { approval: 0, approved: 0, country: String::new(), ..Requirements::default() };
        assert_eq!(requirements(&none), json!([]));
        let all = Requirements { test: "3ABC".to_owned(), ..Requirements::default() };
        let ids: Vec<Value> =
            requirements(&all).as_array().unwrap().iter().map(|one| one["QualificationTypeId"].clone()).collect();
        assert_eq!(json!(ids), json!([APPROVAL, APPROVED, LOCALE, "3ABC"]));
    }
}
