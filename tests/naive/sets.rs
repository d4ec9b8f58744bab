//! Sets and relations.

use super::interpreter::{ErrorName, Interpreter, Result, error, type_error};
use super::order::{compare, frozen};
use super::value::Value;

pub fn call(i: &mut Interpreter, name: &str, arguments: &[Value]) -> Option<Result<Value>> {
    let holds =
        |set: &[Value], value: &Value| set.iter().any(|other| compare(other, value).is_eq());
    Some(match (name, arguments) {
        ("setOf", _) => i.new_set(arguments),
        ("union", [Value::Set(s), Value::Set(t)]) => i.new_set(&[&s[..], &t[..]].concat()),
        ("intersection", [Value::Set(s), Value::Set(t)]) => {
            let both: Vec<Value> = s.iter().filter(|value| holds(t, value)).cloned().collect();
            i.new_set(&both)
        }
        ("except", [Value::Set(s), Value::Set(t)]) => {
            let rest: Vec<Value> = s.iter().filter(|value| !holds(t, value)).cloned().collect();
            i.new_set(&rest)
        }
        ("symmetricDifference", [Value::Set(s), Value::Set(t)]) => {
            let mut one: Vec<Value> = s.iter().filter(|value| !holds(t, value)).cloned().collect();
            one.extend(t.iter().filter(|value| !holds(s, value)).cloned());
            i.new_set(&one)
        }
        ("isSubset", [Value::Set(s), Value::Set(t)]) => {
            Ok(Value::Boolean(s.iter().all(|value| holds(t, value))))
        }
        ("add", [Value::Set(s), value]) => {
            i.new_set(&[&s[..], std::slice::from_ref(value)].concat())
        }
        ("remove", [Value::Set(s), value]) => {
            frozen(&i.state, value, &mut Vec::new()).and_then(|value| {
                let rest: Vec<Value> = s
                    .iter()
                    .filter(|other| compare(other, &value).is_ne())
                    .cloned()
                    .collect();
                i.new_set(&rest)
            })
        }
        ("relation", [one]) => match i.state.elements(one) {
            Some(elements)
                if elements
                    .iter()
                    .all(|pair| i.state.elements(pair).is_some_and(|pair| pair.len() == 2)) =>
            {
                relation(i, &elements)
            }
            _ => relation(i, arguments),
        },
        ("relation", _) => relation(i, arguments),
        ("leftImage" | "rightImage", [Value::Relation(id), Value::Set(s)]) => {
            let pairs = i.state.relation(*id).clone();
            let ends: Vec<Value> = if name == "leftImage" {
                pairs
                    .into_iter()
                    .filter(|(_, b)| holds(s, b))
                    .map(|(a, _)| a)
                    .collect()
            } else {
                pairs
                    .into_iter()
                    .filter(|(a, _)| holds(s, a))
                    .map(|(_, b)| b)
                    .collect()
            };
            i.new_set(&ends)
        }
        ("inverse", [Value::Relation(id)]) => {
            let pairs = i
                .state
                .relation(*id)
                .iter()
                .map(|(a, b)| (b.clone(), a.clone()))
                .collect();
            Ok(i.state.new_relation(pairs))
        }
        ("symmetricClosure", [Value::Relation(id)]) => {
            let mut pairs = i.state.relation(*id).clone();
            pairs.extend(
                i.state
                    .relation(*id)
                    .iter()
                    .map(|(a, b)| (b.clone(), a.clone())),
            );
            Ok(i.state.new_relation(pairs))
        }
        ("compose", [Value::Relation(r), Value::Relation(t)]) => {
            let mut pairs = Vec::new();
            for (a, b) in i.state.relation(*r) {
                for (other, c) in i.state.relation(*t) {
                    if compare(b, other).is_eq() {
                        pairs.push((a.clone(), c.clone()));
                    }
                }
            }
            Ok(i.state.new_relation(pairs))
        }
        ("transitiveClosure", [Value::Relation(id)]) => {
            let mut pairs = i.state.relation(*id).clone();
            loop {
                let before = pairs.len();
                for (a, b) in pairs.clone() {
                    for (other, c) in i.state.relation(*id) {
                        let is_new = |pairs: &[(Value, Value)]| {
                            !pairs
                                .iter()
                                .any(|(x, y)| compare(x, &a).is_eq() && compare(y, c).is_eq())
                        };
                        if compare(&b, other).is_eq() && is_new(&pairs) {
                            pairs.push((a.clone(), c.clone()));
                        }
                    }
                }
                if pairs.len() == before {
                    break;
                }
            }
            Ok(i.state.new_relation(pairs))
        }
        ("reachableFrom", [Value::Relation(id), Value::Set(s)]) => {
            let mut found = s.to_vec();
            let mut at = 0;
            while at < found.len() {
                for (a, b) in i.state.relation(*id) {
                    if compare(a, &found[at]).is_eq() && !holds(&found, b) {
                        found.push(b.clone());
                    }
                }
                at += 1;
            }
            i.new_set(&found)
        }
        ("pairsOf", [Value::Relation(id)]) => {
            let pairs = i.state.relation(*id).clone();
            let pairs: Vec<Value> = pairs
                .into_iter()
                .map(|(a, b)| i.state.new_array(vec![a, b]))
                .collect();
            i.new_set(&pairs)
        }
        ("domainOf", [Value::Relation(id)]) => {
            let lefts: Vec<Value> = i
                .state
                .relation(*id)
                .iter()
                .map(|(a, _)| a.clone())
                .collect();
            i.new_set(&lefts)
        }
        ("rangeOf", [Value::Relation(id)]) => {
            let rights: Vec<Value> = i
                .state
                .relation(*id)
                .iter()
                .map(|(_, b)| b.clone())
                .collect();
            i.new_set(&rights)
        }
        _ => return None,
    })
}

fn relation(i: &mut Interpreter, elements: &[Value]) -> Result<Value> {
    let mut pairs = Vec::new();
    for element in elements {
        match i.state.elements(element).as_deref() {
            Some([a, b]) => {
                pairs.push((
                    frozen(&i.state, a, &mut Vec::new())?,
                    frozen(&i.state, b, &mut Vec::new())?,
                ));
            }
            Some(_) => return error(ErrorName::Value, "a pair has two elements"),
            None => return type_error("a pair", element),
        }
    }
    Ok(i.state.new_relation(pairs))
}
