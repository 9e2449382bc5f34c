//! The function: a task, a model, and the way from one to the other.

use crate::constraint::{self, complete};
use crate::form::EVIDENCE_SEPARATOR;
use crate::grounding::{locate, span};
use crate::labels::{Labels, answerable};
use crate::merge::{WindowAnswer, merge};
use crate::parse::{Parsed, parse};
use crate::window::{Window, windows};
use crate::wording::{self, Wording};
use crate::{Error, Outcome, Settings, Way, answer_each, answer_each_wanted, identity, infer, rank};
use saydo_model::{Constraint, Decoding, Model, Opening, Reply, Request, Wanted};
use saydo_task::{Answer, AnswerKind, AnswerSpec, Span, Task};
use serde_json::Value;
use std::sync::Arc;

/// A context that leaves documents less than this is too small for the task.
const MIN_WINDOW_TOKENS: usize = 32;

/// A function over text: a document in, a typed and grounded answer out.
///
/// ```
/// use saydo_function::{Function, Settings};
/// use saydo_model::ScriptedModel;
/// use saydo_task::{Answer, Task};
/// use std::sync::Arc;
///
/// // Stands for a real model: it finds "Yes" likelier than anything else.
/// let model = ScriptedModel::new(|_| String::new()).with_log_prob(|_, text| if text == "Yes" { -0.1 } else { -3.0 });
/// let task = Task { definition: Some("Are dogs allowed?".into()), ..Task::default() };
/// let function = Function::new(task, Arc::new(model), Settings::default())?;
/// let outcome = function.apply("Dogs are welcome on all trails.")?;
/// assert_ne!(outcome.answer, Answer::Label("no".into()));
/// # Ok::<(), saydo_function::Error>(())
/// ```
pub struct Function {
    task: Task,
    spec: AnswerSpec,
    model: Arc<dyn Model>,
    settings: Settings,
    wording: Wording,
    /// For kinds with labels, which are scored.
    labels: Option<Labels>,
    decoding: Arc<Decoding>,
    window_tokens: usize,
}

impl Function {
    /// Prepares the function: infers the kind of answer if the task does not state it, and finds the words for it. The model
    /// is asked nothing yet.
    pub fn new(task: Task, model: Arc<dyn Model>, settings: Settings) -> Result<Self, Error> {
        if wording::description(&task).is_empty() {
            return Err(Error::EmptyDescription);
        }
        let spec = infer::infer_task(&task).spec;
        let wording = match settings.way {
            Way::Free => Wording::served(&task, &spec, settings.chat),
            Way::Constrained if settings.is_trained && spec.kind != AnswerKind::Text => Wording::learned(&task, &spec),
            Way::Constrained => Wording::plain(&task, &spec, settings.chat),
        };
        let decoding = Arc::new(decoding(&spec.kind, &settings));
        let window_tokens = window_tokens(&wording.frame(), &decoding, &settings)?;
        let labels = Labels::new(&spec, settings.na_bias);
        let task = Task { answer: Some(spec.clone()), ..task };
        Ok(Self { task, spec, model, settings, wording, labels, decoding, window_tokens })
    }

    /// The same function with another bias towards NA.
    #[must_use]
    pub fn with_na_bias(mut self, na_bias: f64) -> Self {
        self.settings.na_bias = na_bias;
        if let Some(labels) = &mut self.labels {
            labels.set_na_bias(na_bias);
        }
        self
    }

    /// The task, its kind of answer filled in.
    pub fn task(&self) -> &Task {
        &self.task
    }

    /// What answers look like.
    pub fn spec(&self) -> &AnswerSpec {
        &self.spec
    }

    /// Everything but the model and the document that an answer depends on.
    pub fn identity(&self) -> Value {
        identity::identity(&self.task, &self.spec, &self.settings)
    }

    /// What [`Self::identity`] of the function with this task and these settings is, without asking a model anything.
    pub fn identity_of(task: &Task, settings: &Settings) -> Value {
        identity::identity(task, &infer::infer_task(task).spec, settings)
    }

    /// The answer to one document.
    pub fn apply(&self, document: &str) -> Result<Outcome, Error> {
        let mut outcome = None;
        self.apply_each(&mut [Arc::from(document)].into_iter(), &mut |_, result| outcome = Some(result))?;
        outcome.expect("every document taken is answered")
    }

    /// Answers each document, and calls `done` once for each with its number in order of being taken, in any order.
    ///
    /// An answer depends on its document alone, never on those around it. One that fails does not stop the others; the
    /// call fails as a whole only if no document can be answered, such as when a server cannot be reached. Documents
    /// taken before that may then be left without a call of `done`.
    pub fn apply_each(
        &self,
        documents: &mut dyn Iterator<Item = Arc<str>>,
        done: &mut dyn FnMut(usize, Result<Outcome, Error>),
    ) -> Result<(), Error> {
        answer_each(&mut documents.map(|document| (self, document)), done)
    }

    /// The same for documents whose answers somebody waits for. One that nobody waits for any more is answered with
    /// [`saydo_model::Error::Unwanted`] as soon as that is noticed, be it in the middle of its answer.
    pub fn apply_each_wanted(
        &self,
        documents: &mut dyn Iterator<Item = (Arc<str>, Wanted)>,
        done: &mut dyn FnMut(usize, Result<Outcome, Error>),
    ) -> Result<(), Error> {
        answer_each_wanted(&mut documents.map(|(document, wanted)| (self, document, Some(wanted))), done)
    }

    /// The requests that would have a model answer freely: one for each window. For batch files; [`Self::read`] takes
    /// the replies.
    pub fn ask(&self, document: &str) -> Vec<Request> {
        self.windows(&Arc::from(document)).iter().map(|window| self.free_request(window)).collect()
    }

    /// The answer that free replies to [`Self::ask`] amount to, one for each window.
    pub fn read(&self, document: &str, replies: &[Reply]) -> Result<Outcome, Error> {
        let windows = self.windows(&Arc::from(document));
        if windows.len() != replies.len() {
            return Err(Error::Replies { expected: windows.len(), found: replies.len() });
        }
        let answers = windows.iter().zip(replies).map(|(window, reply)| self.read_reply(window, reply));
        Ok(merge(answers.collect::<Result<_, _>>()?))
    }

    pub(crate) fn model(&self) -> &Arc<dyn Model> {
        &self.model
    }

    pub(crate) fn labels(&self) -> Option<&Labels> {
        self.labels.as_ref()
    }

    pub(crate) fn wording(&self) -> &Wording {
        &self.wording
    }

    /// The order in which windows are read: those first that the question's words suggest.
    pub(crate) fn order(&self, windows: &[Window]) -> Vec<usize> {
        rank::ranked(wording::description(&self.task), windows)
    }

    /// Whether the model is on a server, which lists first tokens at most.
    pub(crate) fn is_served(&self) -> bool {
        self.settings.way == Way::Free
    }

    /// Whether label answers come with the passage that shows them.
    pub(crate) fn wants_evidence(&self) -> bool {
        self.settings.evidence && self.wording.is_learned()
    }

    /// An answer whose confidence means what it says, as far as the model was measured.
    pub(crate) fn calibrated(&self, answer: WindowAnswer) -> WindowAnswer {
        let is_na = answer.answer == Answer::Na;
        let confidence = answer.confidence.map(|raw| self.settings.confidence.calibrated(&self.spec.kind, is_na, raw));
        WindowAnswer { confidence, ..answer }
    }

    /// The request whose reply holds the window's answer.
    pub(crate) fn request(&self, window: &Window) -> Request {
        if self.is_served() {
            return self.free_request(window);
        }
        let constraint = constraint::constrained(&self.spec.kind, window).map(|reply| Arc::new(self.framed(reply)));
        let is_opened = constraint.is_some() && self.spec.allows_na();
        let opening = is_opened.then(|| Opening { text: self.wording.na(), bias: self.settings.na_bias });
        Request { constraint, opening, ..self.unconstrained_request(window) }
    }

    /// The request for the passage that shows a label.
    pub(crate) fn evidence_request(&self, window: &Window, label: &str) -> Request {
        let mut prompt = self.wording.prompt(&window.text);
        prompt.text += &format!("{}{EVIDENCE_SEPARATOR}", self.wording.label(label));
        let passage = self.framed(Constraint::spans(window.unwrapped(), "; ", 1));
        let decoding = decoding(&AnswerKind::Spans, &self.settings);
        Request { constraint: Some(Arc::new(passage)), ..Request::new(prompt, decoding) }
    }

    /// The passage that a reply to [`Self::evidence_request`] holds; none if there is none.
    pub(crate) fn read_evidence(&self, window: &Window, reply: &Reply) -> Option<Span> {
        let text = complete(reply, &AnswerKind::Spans, &window.text);
        locate(&window.text, text.trim(), &[]).map(|place| span(&window.text, window.start, place, None))
    }

    /// What a reply says.
    pub(crate) fn read_reply(&self, window: &Window, reply: &Reply) -> Result<WindowAnswer, Error> {
        let na_log_odds = reply.opening_log_odds.map(|log_odds| log_odds + self.settings.na_bias);
        if let Some(na_log_odds) = na_log_odds.filter(|log_odds| *log_odds > 0.0) {
            let confidence = Some(1.0 - answerable(na_log_odds));
            let na = WindowAnswer { confidence, na_log_odds: Some(na_log_odds), ..WindowAnswer::of(Answer::Na) };
            return Ok(self.calibrated(na));
        }
        let text = complete(reply, &self.spec.kind, &window.text);
        let confidence = reply.confidence().map(|confidence| na_log_odds.map_or(1.0, answerable) * confidence);
        match parse(&text, &self.spec.kind, self.spec.allows_na(), window) {
            Parsed::Answer { answer, ungrounded } => {
                let answer = WindowAnswer { confidence, na_log_odds, ungrounded, ..WindowAnswer::of(answer) };
                Ok(self.calibrated(answer).with_span_scores())
            }
            Parsed::Nothing { ungrounded } => Err(Error::unparsable(&self.spec.kind, &reply.text, ungrounded)),
        }
    }

    /// A constrained reply as it stands behind the prompt. A learned one has a space before it, and ends with the model's end
    /// token or with the line.
    fn framed(&self, reply: Constraint) -> Constraint {
        if !self.wording.is_learned() {
            return reply;
        }
        Constraint::Sequence(vec![" ".into(), reply, Constraint::OneOf(vec!["".into(), "\n".into()])])
    }

    pub(crate) fn windows(&self, document: &Arc<str>) -> Vec<Window> {
        windows(document, self.window_tokens, &self.settings.window)
    }

    fn unconstrained_request(&self, window: &Window) -> Request {
        Request::new(self.wording.prompt(&window.text), Arc::clone(&self.decoding))
    }

    fn free_request(&self, window: &Window) -> Request {
        let constraint = constraint::schema(&self.spec).map(|schema| Arc::new(Constraint::Json(schema)));
        Request { constraint, ..self.unconstrained_request(window) }
    }
}

/// Replies of these kinds are short; text ends where the settings say. None takes more than a quarter of the context.
fn decoding(kind: &AnswerKind, settings: &Settings) -> Decoding {
    let at_most = |tokens: usize| Decoding::greedy(tokens.min(settings.window.context_tokens / 4));
    match kind {
        AnswerKind::Text => settings.decoding.clone(),
        AnswerKind::YesNo | AnswerKind::Label(_) => at_most(24),
        AnswerKind::Spans => at_most(64),
        AnswerKind::Records(_) => at_most(384),
    }
}

/// How many tokens of a document fit between the prompt's other parts and the reply.
fn window_tokens(frame: &str, decoding: &Decoding, settings: &Settings) -> Result<usize, Error> {
    let template = if settings.chat { CHAT_TOKENS } else { 0 };
    let frame = (settings.window.count)(frame) + template;
    let reply = match &decoding.max_tokens {
        saydo_model::MaxTokens::Count(count) => *count,
        saydo_model::MaxTokens::Beyond { plus, .. } => *plus,
    };
    let context = settings.window.context_tokens;
    let left = context.saturating_sub(frame + reply);
    if left < MIN_WINDOW_TOKENS {
        return Err(Error::NoRoom { frame, reply, context });
    }
    Ok(left)
}

/// Room for what a chat template puts around a prompt.
const CHAT_TOKENS: usize = 64;
