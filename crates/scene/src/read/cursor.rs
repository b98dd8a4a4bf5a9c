//! A value, the path that leads to it, and where its problems are noted.

use std::cell::RefCell;

use clearance_math::{PreciseVector, Real, Vector};
use clearance_shapes::Requirement;

use crate::MeshFiles;
use crate::file_vector::{MOST_NUMBERS, Numbers};
use crate::json::{Member, Node, Value};
use crate::problem::Problem;

/// The reading of one text: what was found wrong so far, and the files that the text may name.
pub(crate) struct Reading<'f> {
    problems: RefCell<Vec<Problem>>,
    files: &'f MeshFiles,
}

impl<'f> Reading<'f> {
    pub(crate) fn new(files: &'f MeshFiles) -> Self {
        Self {
            problems: RefCell::default(),
            files,
        }
    }

    /// Everything that was found wrong, in the order in which it was found.
    pub(crate) fn into_problems(self) -> Vec<Problem> {
        self.problems.into_inner()
    }
}

/// A value in its place. Methods that find something wrong note it and return `None`.
pub(crate) struct Cursor<'c> {
    node: &'c Node<'c>,
    parent: Option<&'c Cursor<'c>>,
    step: Step<'c>,
    reading: &'c Reading<'c>,
}

#[derive(Clone, Copy)]
enum Step<'c> {
    Root,
    Field(&'c str),
    Index(usize),
}

impl<'c> Cursor<'c> {
    pub(crate) fn root(node: &'c Node<'c>, reading: &'c Reading<'c>) -> Self {
        Self {
            node,
            parent: None,
            step: Step::Root,
            reading,
        }
    }

    fn child(&'c self, step: Step<'c>, node: &'c Node<'c>) -> Self {
        Self {
            node,
            parent: Some(self),
            step,
            reading: self.reading,
        }
    }

    /// The cursor on element `index` of this list.
    pub(crate) fn element(&'c self, index: usize, node: &'c Node<'c>) -> Self {
        self.child(Step::Index(index), node)
    }

    pub(crate) fn node(&self) -> &'c Node<'c> {
        self.node
    }

    /// The files that the text may name.
    pub(crate) fn files(&self) -> &'c MeshFiles {
        self.reading.files
    }

    /// Notes a problem of this value.
    pub(crate) fn refuse(&self, text: impl Into<String>) {
        self.note(Problem::new(self.node.line, "", text));
    }

    /// Notes a problem whose path starts at this value.
    pub(crate) fn note(&self, mut problem: Problem) {
        problem.line = self.node.line;
        let mut cursor = Some(self);
        while let Some(at) = cursor {
            problem = match at.step {
                Step::Root => problem,
                Step::Field(key) => problem.inside_field(key),
                Step::Index(index) => problem.inside_list(index),
            };
            cursor = at.parent;
        }
        self.reading.problems.borrow_mut().push(problem);
    }

    /// Notes what this value is and what it must be.
    pub(crate) fn expected<T>(&self, kind: &str) -> Option<T> {
        self.refuse(format!("is {}, must be {kind}", described(self.node)));
        None
    }

    pub(crate) fn number(&self) -> Option<Real> {
        if !matches!(self.node.value, Value::Number) {
            return self.expected("a finite number");
        }
        // Straight from the digits: going through f64 would round twice.
        match self.node.text.parse::<Real>() {
            Ok(number) if number.is_finite() => Some(number),
            _ => self.expected("a number of single precision (up to 3.4e38)"),
        }
    }

    /// A number in double precision, within the range of single precision.
    fn precise_number(&self) -> Option<f64> {
        let number = match self.node.value {
            Value::Number => self.node.text.parse::<f64>().ok(),
            _ => return self.expected("a finite number"),
        };
        match number.filter(|number| number.abs() <= Real::MAX.into()) {
            Some(number) => Some(number),
            None => self.expected("a number up to 3.4e38"),
        }
    }

    pub(crate) fn number_that_is(&self, requirement: Requirement) -> Option<Real> {
        let number = self.number()?;
        let met = match requirement {
            Requirement::Finite => true,
            Requirement::Positive => number > 0.0,
            Requirement::NotNegative => number >= 0.0,
            Requirement::NotZero => number != 0.0,
        };
        if met {
            Some(number)
        } else {
            self.expected(&requirement.to_string())
        }
    }

    pub(crate) fn is_null(&self) -> bool {
        matches!(self.node.value, Value::Null)
    }

    /// A whole number that is not above `most`: a set of bits, or an index.
    pub(crate) fn whole(&self, most: u32) -> Option<u32> {
        self.whole_within([0.0, most.into()])
            .map(|number| number as u32)
    }

    /// A whole number of 64 bits: a number of the user.
    pub(crate) fn whole_of_64_bits(&self) -> Option<u64> {
        let number = match self.node.value {
            Value::Number => self.node.text.parse().ok(),
            _ => None,
        };
        number.or_else(|| self.expected(&format!("a whole number from 0 to {}", u64::MAX)))
    }

    /// A whole number that may be negative: a coordinate of a cell.
    pub(crate) fn whole_of_either_sign(&self) -> Option<i32> {
        self.whole_within([i32::MIN, i32::MAX].map(f64::from))
            .map(|number| number as i32)
    }

    fn whole_within(&self, [least, most]: [f64; 2]) -> Option<f64> {
        // Every whole number of 32 bits is an f64.
        let number = match self.node.value {
            Value::Number => self.node.text.parse::<f64>().ok(),
            _ => None,
        };
        let is_met = |number: &f64| (least..=most).contains(number) && number.fract() == 0.0;
        let number = number.filter(is_met);
        number.or_else(|| self.expected(&format!("a whole number from {least} to {most}")))
    }

    pub(crate) fn boolean(&self) -> Option<bool> {
        match self.node.value {
            Value::Boolean => Some(self.node.text == "true"),
            _ => self.expected("true or false"),
        }
    }

    pub(crate) fn string(&self) -> Option<&'c str> {
        match &self.node.value {
            Value::String(string) => Some(string),
            _ => self.expected("a string"),
        }
    }

    pub(crate) fn list(&self) -> Option<&'c [Node<'c>]> {
        match &self.node.value {
            Value::List(nodes) => Some(nodes),
            _ => self.expected("a list"),
        }
    }

    /// A list of exactly `count` numbers, or a bare number where `count` is one.
    pub(crate) fn numbers(&self, count: usize) -> Option<Numbers> {
        self.numbers_that_are(Requirement::Finite, count)
    }

    fn numbers_that_are(&self, requirement: Requirement, count: usize) -> Option<Numbers> {
        self.numbers_by(count, |number| number.number_that_is(requirement))
    }

    fn numbers_by<T: Copy + Default>(
        &self,
        count: usize,
        read: impl Fn(&Cursor<'_>) -> Option<T>,
    ) -> Option<Numbers<T>> {
        if count == 1 {
            return Some(Numbers::new(&[read(self)?]));
        }
        let Value::List(nodes) = &self.node.value else {
            return self.expected(&format!("a list of {count} numbers"));
        };
        if nodes.len() != count {
            self.refuse(format!("has {} numbers, must have {count}", nodes.len()));
            return None;
        }
        let mut values = [T::default(); MOST_NUMBERS];
        let mut complete = true;
        for (index, node) in nodes.iter().enumerate() {
            match read(&self.element(index, node)) {
                Some(number) => values[index] = number,
                None => complete = false,
            }
        }
        complete.then(|| Numbers::new(&values[..count]))
    }

    /// A place, in double precision.
    pub(crate) fn position<V: Vector>(&self) -> Option<V::Precise> {
        let numbers = self.numbers_by(V::DIM, |number| number.precise_number())?;
        Some(V::Precise::from_fn(|axis| numbers.as_slice()[axis]))
    }

    pub(crate) fn vector<V: Vector>(&self) -> Option<V> {
        self.vector_that_is(Requirement::Finite)
    }

    pub(crate) fn vector_that_is<V: Vector>(&self, requirement: Requirement) -> Option<V> {
        let numbers = self.numbers_that_are(requirement, V::DIM)?;
        let mut vector = V::ZERO;
        for (index, value) in numbers.as_slice().iter().enumerate() {
            vector = vector.with_component(index, *value);
        }
        Some(vector)
    }

    /// The fields of an object in which no other than `known` ones are allowed.
    pub(crate) fn object(&'c self, known: &[&str]) -> Option<Fields<'c>> {
        let fields = self.open_object(known)?;
        for member in fields.members {
            if !known.contains(&&*member.key) {
                self.child(Step::Field(&member.key), &member.node)
                    .refuse(format!("unknown field, known are {}", known.join(", ")));
            }
        }
        Some(fields)
    }

    /// The fields of an object, of which all but `known` ones are ignored.
    pub(crate) fn open_object(&'c self, known: &[&str]) -> Option<Fields<'c>> {
        let members = self.members()?;
        for key in known {
            let mut found = members.iter().filter(|member| member.key == *key);
            if let Some(second) = found.nth(1) {
                self.child(Step::Field(&second.key), &second.node)
                    .refuse("given twice");
            }
        }
        Some(Fields {
            cursor: self,
            members,
        })
    }

    /// The cursors of all fields of an object whose keys are free, in order.
    pub(crate) fn entries(&'c self) -> impl Iterator<Item = (&'c str, Cursor<'c>)> {
        let members = self.members().unwrap_or_default();
        members.iter().map(|member| {
            let cursor = self.child(Step::Field(&member.key), &member.node);
            (&*member.key, cursor)
        })
    }

    fn members(&self) -> Option<&'c [Member<'c>]> {
        match &self.node.value {
            Value::Object(members) => Some(members),
            _ => self.expected("an object"),
        }
    }
}

/// The fields of an object.
pub(crate) struct Fields<'c> {
    cursor: &'c Cursor<'c>,
    members: &'c [Member<'c>],
}

impl<'c> Fields<'c> {
    pub(crate) fn optional(&self, key: &str) -> Option<Cursor<'c>> {
        let member = self.members.iter().find(|member| member.key == key)?;
        Some(self.cursor.child(Step::Field(&member.key), &member.node))
    }

    pub(crate) fn required(&self, key: &str) -> Option<Cursor<'c>> {
        let found = self.optional(key);
        if found.is_none() {
            self.missing(key, "missing");
        }
        found
    }

    /// Notes that a field is missing.
    pub(crate) fn missing(&self, key: &str, text: &str) {
        self.cursor.note(Problem::new(0, key, text));
    }

    pub(crate) fn number(&self, key: &str, requirement: Requirement) -> Option<Real> {
        self.required(key)?.number_that_is(requirement)
    }

    pub(crate) fn position<V: Vector>(&self, key: &str) -> Option<V::Precise> {
        self.required(key)?.position::<V>()
    }
}

/// The value of the field `dimension`.
pub(crate) enum Dimension {
    Plane,
    Space,
}

impl Dimension {
    /// Reads the field `dimension`, which is 2 or 3.
    pub(crate) fn read(fields: &Fields) -> Option<Self> {
        let cursor = fields.required("dimension")?;
        if !matches!(cursor.node().value, Value::Number) {
            return cursor.expected("2 or 3");
        }
        match cursor.number()? {
            2.0 => Some(Self::Plane),
            3.0 => Some(Self::Space),
            _ => cursor.expected("2 or 3"),
        }
    }
}

/// The value in a few words, for a message.
fn described(node: &Node) -> String {
    const SHOWN: usize = 24;
    match node.value {
        Value::Null => "null".to_owned(),
        Value::List(_) | Value::UnreadList => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        _ if node.text.chars().count() > SHOWN => {
            format!("{}...", node.text.chars().take(SHOWN).collect::<String>())
        }
        _ => node.text.to_owned(),
    }
}
