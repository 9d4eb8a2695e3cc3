"""Letters by SMTP, where the host has set a server for that."""

from __future__ import annotations

import re
import smtplib
import ssl
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from urllib.parse import unquote, urlsplit

PORTS = {"smtp": 587, "smtps": 465}
THIS_MACHINE = ("localhost", "127.0.0.1", "::1")
SECONDS = 20.0
ADDRESS = re.compile(r"[^\s@<>\"',;:\\()\[\]]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")
LONGEST = 200


def is_address(text: str) -> bool:
    """Say whether a text can be an address of mail."""
    return len(text) <= LONGEST and ADDRESS.fullmatch(text) is not None


def is_server(url: str) -> bool:
    """Say whether a text names a server: ``smtp://name:password@mail.example:587``."""
    try:
        parts = urlsplit(url)
        return parts.scheme in PORTS and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


class Mailer:
    """Sends letters.

    Parameters
    ----------
    url
        ``smtp://…`` speaks TLS as soon as the server offers it, and needs that for a password
        unless the server is on this machine; ``smtps://…`` speaks it from the start.
    sender
        The address that letters come from.
    """

    def __init__(self, url: str, sender: str) -> None:
        self._url = urlsplit(url)
        self.sender = sender

    def send(self, to: str, subject: str, text: str, headers: dict[str, str] | None = None) -> None:
        """Send a letter, and wait until the server has taken it.

        Raises
        ------
        OSError
            Where it cannot be reached, or does not take it (`smtplib.SMTPException`).
        """
        letter = EmailMessage()
        letter["From"], letter["To"], letter["Subject"] = self.sender, to, subject
        letter["Date"], letter["Message-ID"] = formatdate(), make_msgid(domain="tianxia")
        letter["Auto-Submitted"] = "auto-generated"
        for name, value in (headers or {}).items():
            letter[name] = value
        letter.set_content(text)
        with self._connected() as server:
            server.send_message(letter)

    def _connected(self) -> smtplib.SMTP:
        host, port = self._url.hostname or "", self._url.port or PORTS[self._url.scheme]
        server: smtplib.SMTP
        if self._url.scheme == "smtps":
            context = ssl.create_default_context()
            server = smtplib.SMTP_SSL(host, port, timeout=SECONDS, context=context)
        else:
            server = smtplib.SMTP(host, port, timeout=SECONDS)
            server.ehlo()
            if server.has_extn("starttls"):
                server.starttls(context=ssl.create_default_context())
                server.ehlo()
            elif self._url.username and host not in THIS_MACHINE:
                server.close()
                raise smtplib.SMTPNotSupportedError(f"{host} offers no TLS: no password is sent")
        if self._url.username:
            server.login(unquote(self._url.username), unquote(self._url.password or ""))
        return server
