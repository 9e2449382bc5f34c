//! The function: a task, a model, and the way from one to the other.

use crate::batch::Batch;
use crate::first_token::FirstToken;
use crate::judge::{Aptitudes, Judge, Judgement};
use crate::learned::{Learned, answerable};
use crate::merge::{WindowAnswer, merge};
use crate::parse::{Parsed, parse};
use crate::share::silent_share;
use crate::window::{Window, windows};
use crate::wording::{self, Wording};
use crate::{Error, Outcome, Settings, Way, identity, infer};
use saydo_model::{Constraint, Decoding, Model, Reply, Request, Score};
use saydo_task::{Answer, AnswerKind, AnswerSpec, Task};
use serde_json::Value;
use std::sync::Arc;

/// Documents that go through the model together. Enough to fill a batch, few enough that the first answers come soon.
const DOCUMENTS_AT_ONCE: usize = 64;
/// A context that leaves documents less than this is too small for the task.
const LEAST_WINDOW_TOKENS: usize = 32;

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
    /// The words for scoring NA. Records are asked for as JSON, where "Not stated" has no place, so for them this is the
    /// question for spans.
    judging: Wording,
    judge: Option<Judge>,
    /// For labels that are not scored whole.
    first_token: Option<FirstToken>,
    /// For models that have learned to answer functions; nothing else is then asked.
    learned: Option<Learned>,
    decoding: Arc<Decoding>,
    window_tokens: usize,
}

impl Function {
    /// Prepares the function: infers the kind of answer if the task does not state it, and asks the model about texts
    /// without content to know which way it leans.
    pub fn new(task: Task, model: Arc<dyn Model>, settings: Settings) -> Result<Self, Error> {
        Self::with_aptitudes(task, model, settings, &Aptitudes::default())
    }

    /// The same, with what was found out about the model for earlier functions: it is asked about its aptitude once for
    /// all functions that share `aptitudes`. They must be of one model, asked in one way.
    pub fn with_aptitudes(
        task: Task,
        model: Arc<dyn Model>,
        settings: Settings,
        aptitudes: &Aptitudes,
    ) -> Result<Self, Error> {
        if wording::description(&task).is_empty() {
            return Err(Error::EmptyDescription);
        }
        let spec = infer::infer_task(&task).spec;
        let wording = match settings.way {
            Way::Held => Wording::new(&task, &spec, settings.chat),
            Way::Free => Wording::served(&task, &spec, settings.chat),
        };
        let judged = if has_fields(&spec.kind) { AnswerKind::Spans } else { spec.kind.clone() };
        let judging = Wording::new(&task, &AnswerSpec { kind: judged, na: spec.na }, settings.chat);
        let decoding = Arc::new(decoding(&spec.kind, &settings));
        let learned =
            (settings.is_trained && spec.kind != AnswerKind::Text).then(|| Learned::new(&task, &spec, &settings));
        let frame = learned.as_ref().map_or_else(|| wording.frame(), Learned::frame);
        let window_tokens = window_tokens(&frame, &decoding, &settings)?;
        let is_judged = settings.way == Way::Held && spec.kind != AnswerKind::Text && learned.is_none();
        let judge = match is_judged {
            true => {
                let aptitude = aptitudes.of(&*model, &spec.kind, settings.chat)?;
                Some(Judge::new(&judging, &spec, settings.na_bias, aptitude, &*model)?)
            }
            false => None,
        };
        let first_token = match settings.way {
            Way::Held => None,
            Way::Free => FirstToken::new(&spec, settings.na_bias),
        };
        let task = Task { answer: Some(spec.clone()), ..task };
        Ok(Self { task, spec, model, settings, wording, judging, judge, first_token, learned, decoding, window_tokens })
    }

    /// The same function with another bias towards NA.
    #[must_use]
    pub fn with_na_bias(mut self, na_bias: f64) -> Self {
        self.settings.na_bias = na_bias;
        if let Some(judge) = &mut self.judge {
            judge.set_na_bias(na_bias);
        }
        if let Some(first_token) = &mut self.first_token {
            first_token.set_na_bias(na_bias);
        }
        if let Some(learned) = &mut self.learned {
            learned.set_na_bias(na_bias);
        }
        self
    }

    /// The share of documents that hold no answer, as far as these tell; none if the model gives no scores, or cannot tell.
    /// [`Self::with_na_bias`] takes its log-odds.
    pub fn silent_share(&self, documents: &[Arc<str>]) -> Result<Option<f64>, Error> {
        let judge = self.judge.as_ref().filter(|judge| judge.can_tell_na());
        let Some((judge, each)) = judge.map(|judge| (judge, judge.requests_per_window())) else { return Ok(None) };
        let documents: Vec<Vec<Window>> = documents.iter().map(|document| self.windows(document)).collect();
        let windows = documents.iter().flatten();
        let requests = windows.flat_map(|window| judge.requests(&self.judging, &window.text)).collect();
        let scores: Vec<Option<Vec<Score>>> = self.model.score(requests)?.into_iter().map(Result::ok).collect();
        let mut scores = scores.chunks(each);
        let mut na_log_odds = Vec::new();
        for windows in &documents {
            let scores: Vec<&[Option<Vec<Score>>]> = scores.by_ref().take(windows.len()).collect();
            // Empty documents say nothing of the others, nor do those that could not be scored.
            if windows.iter().all(|window| window.text.trim().is_empty()) {
                continue;
            }
            let judged = |scores: &&[Option<Vec<Score>>]| {
                let scores = scores.iter().cloned().collect::<Option<Vec<_>>>()?;
                Some(judge.judge(&scores).na_log_odds - self.settings.na_bias)
            };
            na_log_odds.extend(scores.iter().filter_map(judged).reduce(f64::min));
        }
        Ok(Some(silent_share(&na_log_odds)))
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
        let mut first = 0;
        loop {
            let taken: Vec<Arc<str>> = documents.take(DOCUMENTS_AT_ONCE).collect();
            if taken.is_empty() {
                return Ok(());
            }
            let documents = taken.iter().map(|document| self.windows(document)).collect();
            let count = taken.len();
            Batch::new(documents, &mut |index, result| done(first + index, result)).run(self)?;
            first += count;
        }
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
        let answers = windows.iter().zip(replies).map(|(window, reply)| self.read_reply(window, reply, None));
        Ok(merge(answers.collect::<Result<_, _>>()?))
    }

    pub(crate) fn model(&self) -> &dyn Model {
        &*self.model
    }

    pub(crate) fn judge(&self) -> Option<&Judge> {
        self.judge.as_ref()
    }

    pub(crate) fn learned(&self) -> Option<&Learned> {
        self.learned.as_ref()
    }

    /// How a single span is generated.
    pub(crate) fn span_decoding(&self) -> Decoding {
        decoding(&AnswerKind::Spans, &self.settings)
    }

    pub(crate) fn first_token(&self) -> Option<&FirstToken> {
        self.first_token.as_ref()
    }

    pub(crate) fn wording(&self) -> &Wording {
        &self.wording
    }

    pub(crate) fn judging(&self) -> &Wording {
        &self.judging
    }

    /// Whether scores alone give the answer.
    pub(crate) fn has_labels(&self) -> bool {
        matches!(self.spec.kind, AnswerKind::YesNo | AnswerKind::Label(_))
    }

    /// The request for a window that is known to hold an answer, or that nothing is known of.
    pub(crate) fn request(&self, window: &Window) -> Request {
        if let Some(learned) = &self.learned {
            return learned.request(&self.spec.kind, window, &self.decoding);
        }
        match self.settings.way {
            Way::Free => self.free_request(window),
            Way::Held => {
                let constraint = crate::constraint::held(&self.spec.kind, window).map(Arc::new);
                Request { constraint, ..self.unheld_request(window) }
            }
        }
    }

    /// What a reply says. `judgement` is what is known of the window from scores.
    pub(crate) fn read_reply(
        &self,
        window: &Window,
        reply: &Reply,
        judgement: Option<&Judgement>,
    ) -> Result<WindowAnswer, Error> {
        let na_log_odds = self.learned.as_ref().and_then(|learned| learned.na_log_odds(reply));
        if let Some(na_log_odds) = na_log_odds.filter(|log_odds| *log_odds > 0.0) {
            let confidence = Some(1.0 - answerable(na_log_odds));
            return Ok(WindowAnswer { confidence, na_log_odds: Some(na_log_odds), ..WindowAnswer::of(Answer::Na) });
        }
        // A list of records begins with a bracket, which says nothing.
        let first = reply.first_log_prob.filter(|_| self.spec.kind == AnswerKind::Spans);
        let judgement = judgement.map(|judgement| judgement.clone().with_reply(first));
        if let Some(judgement) = judgement.as_ref().filter(|judgement| judgement.is_na()) {
            return Ok(judgement.answer());
        }
        let text = crate::constraint::complete(reply, &self.spec.kind, &window.text);
        let na_log_odds = na_log_odds.or(judgement.map(|judgement| judgement.na_log_odds));
        let confidence = reply.confidence().map(|confidence| na_log_odds.map_or(1.0, answerable) * confidence);
        match parse(&text, &self.spec.kind, self.spec.allows_na(), window) {
            Parsed::Answer { answer, ungrounded } => {
                let answer = WindowAnswer { confidence, na_log_odds, ungrounded, ..WindowAnswer::of(answer) };
                Ok(answer.with_span_scores(confidence))
            }
            Parsed::Nothing { ungrounded } => Err(Error::unparsable(&self.spec.kind, &reply.text, ungrounded)),
        }
    }

    fn windows(&self, document: &Arc<str>) -> Vec<Window> {
        windows(document, self.window_tokens, &self.settings.window)
    }

    fn unheld_request(&self, window: &Window) -> Request {
        Request::new(self.wording.answer(&window.text), Arc::clone(&self.decoding))
    }

    fn free_request(&self, window: &Window) -> Request {
        let constraint = crate::constraint::schema(&self.spec).map(|schema| Arc::new(Constraint::Json(schema)));
        Request { constraint, ..self.unheld_request(window) }
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

fn has_fields(kind: &AnswerKind) -> bool {
    matches!(kind, AnswerKind::Records(_))
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
    if left < LEAST_WINDOW_TOKENS {
        return Err(Error::NoRoom { frame, reply, context });
    }
    Ok(left)
}

/// Room for what a chat template puts around a prompt.
const CHAT_TOKENS: usize = 64;
