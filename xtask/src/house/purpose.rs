//! What a file is for: the first sentence of its `//!` comment.

/// Characters of a purpose in the map.
const SHORT: usize = 64;

/// The first sentence, or what is wrong with it.
pub(super) fn of(text: &str) -> Result<String, &'static str> {
    let lines = text.lines().take_while(|line| line.starts_with("//!"));
    let lines = lines.map(|line| line.trim_start_matches("//!").trim());
    let paragraph = lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    if paragraph.is_empty() {
        return Err("no purpose: begin the file with `//!` and one sentence");
    }
    match sentence_end(&paragraph) {
        Some(end) => Ok(paragraph[..end].to_owned()),
        None => Err("the first paragraph of `//!` ends within its first sentence: end it with a full stop"),
    }
}

/// The sentence without its full stop; of a long one only the first clauses, and `…`.
pub(super) fn in_short(purpose: &str) -> String {
    let whole = purpose.strip_suffix('.').unwrap_or(purpose);
    let fits = |text: &str| text.chars().count() <= SHORT;
    let is_whole = |text: &str| {
        text.matches('`').count().is_multiple_of(2) && text.matches('(').count() == text.matches(')').count()
    };
    let marks = whole.match_indices([',', ':', ';']).filter(|(at, _)| whole[at + 1..].starts_with(' '));
    let mut clauses = marks.map(|(at, _)| &whole[..at]).filter(|text| fits(text) && is_whole(text));
    match clauses.next_back() {
        Some(start) if !fits(whole) => format!("{start} …"),
        _ => whole.to_owned(),
    }
}

/// The place behind a full stop, a question or an exclamation mark that ends a sentence: white space or nothing comes
/// next, and it does not belong to an initial (`G. Zachmann`), to a short form (`e.g.`) or to code.
fn sentence_end(paragraph: &str) -> Option<usize> {
    let mut in_code = false;
    let mut places = paragraph.char_indices().peekable();
    while let Some((at, c)) = places.next() {
        in_code ^= c == '`';
        if in_code || !".?!".contains(c) {
            continue;
        }
        let mut end = at + 1;
        while let Some((next, _)) = places.next_if(|(_, c)| ")\"”*".contains(*c)) {
            end = next + paragraph[next..].chars().next().map_or(0, char::len_utf8);
        }
        // `(both?) bodies`: the question ends within the brackets, and the sentence goes on.
        let goes_on = end > at + 1 && paragraph[end..].trim_start().starts_with(char::is_lowercase);
        let spaced = places.peek().is_none_or(|(_, c)| c.is_whitespace());
        let last = places.peek().is_none();
        if last || spaced && !goes_on && (c != '.' || !is_short_form(&paragraph[..at])) {
            return Some(end);
        }
    }
    None
}

fn is_short_form(before: &str) -> bool {
    let word = before.rsplit([' ', '(', '*', '-']).next().unwrap_or_default();
    let initial = word.chars().count() == 1 && word.chars().all(char::is_uppercase);
    initial || ["e.g", "i.e", "al", "cf", "vs", "Fig", "Sec", "No", "St"].contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_sentence_over_lines() {
        assert_eq!(of("//! Boxes\n//! of `a.b` bodies. More.\n//!\n//! x."), Ok("Boxes of `a.b` bodies.".into()));
        assert_eq!(of("//! What ends it: Ctrl-C."), Ok("What ends it: Ctrl-C.".into()));
        assert_eq!(of("//! Do they (both?) touch? Yes."), Ok("Do they (both?) touch?".into()));
    }

    #[test]
    fn short_forms_do_not_end_it() {
        assert_eq!(
            of("//! After O. Devillers et al. in 3.5 D, e.g. here. Next."),
            Ok("After O. Devillers et al. in 3.5 D, e.g. here.".into())
        );
    }

    #[test]
    fn long_ones_are_cut_after_a_clause() {
        let long = "Many boxes: where they are (in `a, b`, and c), which meet, what changed, and lists of pairs.";
        assert_eq!(in_short(long), "Many boxes: where they are (in `a, b`, and c), which meet …");
        assert_eq!(in_short("What it is: short."), "What it is: short");
    }

    #[test]
    fn what_is_missing_is_said() {
        assert!(of("use a;").is_err_and(|what| what.starts_with("no purpose")));
        assert!(of("//! Words without an end\n//!\n//! Text.").is_err_and(|what| what.contains("full stop")));
    }
}
