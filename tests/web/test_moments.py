"""Moments on pages: in the reader's language, and by their own clock where a script can."""

from tianxia.web.moments import moment_of

NOON = 1_764_504_000.0  # 30 November 2025, 12:00 UTC


def test_a_moment_is_told_in_the_readers_language_and_for_scripts():
    assert str(moment_of(NOON, "en")) == (
        '<time datetime="2025-11-30T12:00:00Z" data-moment>Nov 30, 2025, 12:00 UTC</time>'
    )
    assert ">30 nov. 2025, 12:00 UTC<" in moment_of(NOON, "fr")
