//! Moments as people and file names write them.

use time::OffsetDateTime;

/// A number of seconds since 1970 as date and time of day, in UTC.
///
/// ```
/// assert_eq!(saydo_protocol::date::utc(951_782_400), "2000-02-29 00:00 UTC");
/// ```
pub fn utc(seconds: u64) -> String {
    let moment = moment(seconds);
    format!("{} {:02}:{:02} UTC", moment.date(), moment.hour(), moment.minute())
}

/// The day alone.
pub fn day(seconds: u64) -> String {
    moment(seconds).date().to_string()
}

/// The same to the second, as file names have it.
pub fn stamp(seconds: u64) -> String {
    let moment = moment(seconds);
    format!("{}T{:02}-{:02}-{:02}", moment.date(), moment.hour(), moment.minute(), moment.second())
}

/// The moment; the first one of 1970 if it is beyond the calendar, which ends with the year 9999.
fn moment(seconds: u64) -> OffsetDateTime {
    let seconds = i64::try_from(seconds).unwrap_or_default();
    OffsetDateTime::from_unix_timestamp(seconds).unwrap_or(OffsetDateTime::UNIX_EPOCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_follow_the_calendar() {
        assert_eq!(utc(0), "1970-01-01 00:00 UTC");
        assert_eq!(utc(1_794_812_596), "2026-11-16 07:03 UTC");
        assert_eq!(day(1_794_812_596), "2026-11-16");
        assert_eq!(stamp(1_794_812_596), "2026-11-16T07-03-16");
        assert_eq!(utc(u64::MAX), "1970-01-01 00:00 UTC");
    }
}
