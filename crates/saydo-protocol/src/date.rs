//! Moments as people and file names write them.

/// A number of seconds since 1970 as date and time of day, in UTC.
///
/// ```
/// assert_eq!(saydo_protocol::date::utc(951_782_400), "2000-02-29 00:00 UTC");
/// ```
pub fn utc(seconds: u64) -> String {
    let (year, month, day) = civil((seconds / 86_400) as i64);
    let rest = seconds % 86_400;
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02} UTC", rest / 3600, rest / 60 % 60)
}

/// The same to the second, as file names have it.
pub fn stamp(seconds: u64) -> String {
    let (year, month, day) = civil((seconds / 86_400) as i64);
    let rest = seconds % 86_400;
    format!("{year:04}-{month:02}-{day:02}T{:02}-{:02}-{:02}", rest / 3600, rest / 60 % 60, rest % 60)
}

/// Year, month and day of a number of days since 1970, by the rules of the Gregorian calendar.
fn civil(days: i64) -> (i64, i64, i64) {
    // Years are counted from March, so that the leap day is the last of a year; 400 years are 146,097 days.
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_follow_the_calendar() {
        assert_eq!(utc(0), "1970-01-01 00:00 UTC");
        assert_eq!(utc(1_794_812_596), "2026-11-16 07:03 UTC");
        assert_eq!(stamp(1_794_812_596), "2026-11-16T07-03-16");
    }
}
