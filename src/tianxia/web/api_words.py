"""What the page about the API says of each request: for translators, since docstrings are not.

A test holds these texts and the docstrings of the routes together.
"""

from __future__ import annotations

from tianxia.draw.languages import N_

INTRODUCTION = (
    N_("Get a token at `POST /api/v1/people`, send it as `Authorization: Bearer TOKEN`."),
    N_("Texts come in the language of `Accept-Language` (English or French)."),
    N_(
        'Every refusal has the form `{"error": {"code", "text", "statement", "link"}}`; '
        "`statement` is the id of the rule that forbids an action, `link` where it "
        "stands."
    ),
)
REQUESTS = (
    N_("List the games that are played here."),
    N_("Describe a game: its options, seats and bots."),
    N_("Send a rulebook, whole and statement by statement."),
    N_("Become somebody: the token holds the seats that are taken with it."),
    N_("List your tables, and those that wait for players."),
    N_("Make a table; where no seat is open the game begins."),
    N_("Describe a table as the asker may know it; on demand wait until that changes."),
    N_("Say which seat is the asker's, and the private key that opens it elsewhere."),
    N_("Take a free seat."),
    N_("Hold the seat of a private key, too."),
    N_("Change the name at your seat."),
    N_("Take actions: all of them or none."),
    N_("Say why an action is refused now."),
    N_(
        "Say what an element of the picture is: facts, rules, and what an action would "
        "change. An action that the asker cannot take now is passed over; `ply` is for "
        "finished games."
    ),
    N_(
        "Say what the asker could do now: up to three ways, the best first, each with a "
        "reason. Given only to people who play against bots alone, and only from what the "
        "asker's seat may know."
    ),
    N_("Take back your last action, or ask the others to agree to that."),
    N_("Give the game up."),
    N_("Give an answer in advance, or no longer."),
    N_("Offer a draw."),
    N_("Allow somebody to take back, or not."),
    N_("Agree to a draw, or decline it."),
    N_("Ask for another game, or join whoever has asked."),
    N_("Begin to weigh the decisions of a finished game; ask again until `stage` is `done`."),
    N_("Say how the chances of a finished game moved, and which decisions cost most."),
    N_("Draw a table: the picture, and the clicks that mean each action."),
    N_("Describe a position of a finished game."),
    N_(
        "Say what an element of the picture is: facts, rules, and what an action would "
        "change. An action that the asker cannot take now is passed over; `ply` is for "
        "finished games."
    ),
    N_("Send the game as text, as far as the asker may know it."),
    N_("Say what chance did in a finished game and could have done, to check it by the secret."),
    N_("Play on from a position of a finished game, against bots: practice that counts nowhere."),
    N_("Begin to look at a finished game with others: when one steps, the others follow."),
    N_("Say where those are who look at a finished game together; on demand wait for a step."),
    N_("Step to a position, for all who look at a finished game together."),
    N_("Say what the asker may read of a table's talk; on demand wait for something new."),
    N_("Say something to some seats, or to all at the table."),
    N_("Write a pact down, for some seats to agree to, or for all at the table."),
    N_("Agree to a pact, decline it, or withdraw your own."),
    N_("Say that a pact was kept, or broken."),
    N_("Mute a seat, or hear it again; nobody else is told."),
    N_("Agree, after the end, that everybody may read what was said among those who all agree."),
    N_("Promise a table, and show the hash of its secret: make the table with it and a seed."),
    N_("Add a seed to the secret of chance, before the game; who was paired comes by that."),
    N_("List who is waiting, open and running public tables, challenges, and who is here."),
    N_("Wait for others who want the same; where they are, `table` is there at once."),
    N_("Say who has a table open, in a browser or by the stream of events."),
    N_(
        "Say whether somebody was found; on demand wait. Whoever stops asking is no longer waiting."
    ),
    N_("Wait no longer."),
    N_("Challenge somebody who has an account: a table waits for them alone."),
    N_("Accept a challenge: take the seat that is kept for your account."),
    N_("Decline a challenge: the seat is anybody's then."),
    N_("Report whoever sits at a seat to the host, with the talk that the asker could read."),
    N_("Block whoever sits at a seat (no pairing, no talk), mute them (no talk), or neither."),
    N_("List whom you have blocked or muted."),
    N_("Show whoever looks after the server what was reported, and what was done."),
    N_(
        "Show whoever looks after the server what was counted in each five minutes of the last day."
    ),
    N_("Settle a report, suspend or rename an account, close a table; end or rename a tournament."),
    N_("Make an account; a guest's seats are the account's from then on."),
    N_("Sign in by a name with its password, or with a recovery code."),
    N_("Send a link that signs in, where somebody has this address; nobody is told whether."),
    N_("Sign in with the key of a link sent by e-mail; it works once."),
    N_("Say what a browser needs to sign in with a passkey."),
    N_("Sign in with a passkey."),
    N_("Say what a browser needs to make an account with a passkey, and no password."),
    N_("Make an account with a passkey."),
    N_("Sign out here."),
    N_("Describe your account."),
    N_("Take another name, at all your tables too."),
    N_("Set a password; you are signed out everywhere else."),
    N_("Make new recovery codes; the old ones no longer work."),
    N_("Give an address, to be confirmed by e-mail; or remove it."),
    N_("Confirm an address with the key of the link sent by e-mail."),
    N_("Say what a browser needs to make a passkey for your account."),
    N_("Store the passkey that a browser has made."),
    N_("Remove a passkey; the last way into an account stays."),
    N_("Sign out somewhere; `others` is everywhere else."),
    N_("Make a token for a program: for some purposes, and so many days."),
    N_("Revoke a token."),
    N_("Send all that is stored about your account."),
    N_("Delete your account; its name confirms it. Games stay, without a name."),
    N_("Call a game off before every seat has decided something; nobody has lost."),
    N_("Play on at your seat, for which a bot has played."),
    N_("Close a table that waits for players."),
    N_("Leave a table that waits for players."),
    N_("Let bots take the free seats, so that the game begins."),
    N_("Wait no longer for somebody who is silent at a table without a clock."),
    N_("Begin a holiday, or end it with 0 days: your clocks by mail stand meanwhile."),
    N_(
        "End a game without a result that the rules installed cannot go on with. It ends when all "
        "who play have asked for that."
    ),
    N_(
        "Send what happens at your tables, and who challenges you, a JSON object a line. "
        "First how all of them stand that are not over; with `once` nothing more."
    ),
    N_("Say what you are told of, and how."),
    N_("Choose whether to be told of your turns, in a way and at tables of a pace."),
    N_(
        "List the strongest of a game and a pace (`quick`, `calm`, `mail` or `none`), and our bots."
    ),
    N_("Describe an account: its ratings, and what it has played in public; of your own, all."),
    N_("Block an account (no pairing, no talk), mute it (no talk), or neither."),
    N_("Report an account to the host."),
    N_("List what spectators say; players can read it only after the end."),
    N_("Say something to all who watch."),
    N_("List finished public games, the newest first; `next` is the `before` of the next page."),
    N_("List the games that have puzzles, and which one is that of the day."),
    N_("Show a puzzle: what its seat knows and can do."),
    N_("Judge an answer to a puzzle; you can try as often as you like."),
    N_("Tell the best action of a puzzle, and why it is best."),
    N_("List public tournaments; `mine` are those that you have made or entered."),
    N_("Make a tournament; whoever makes it does not enter by that."),
    N_("Describe a tournament: standings, pairings, your table; on demand wait for news."),
    N_("Enter, or come back; withdraw after this game; begin or end one that you have made."),
    N_("Say what is wrong with a board, and draw it; nothing is kept."),
    N_("List your own boards, the newest first."),
    N_("Keep a board in your own list, finished or not."),
    N_("Show a saved board to whoever has its id."),
    N_("Delete a board of your own."),
)
