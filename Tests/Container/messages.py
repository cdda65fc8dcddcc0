"""Names for the MESSAGE_IDs of journal entries in the tests."""

MESSAGES = {
    # Messages of todod, which systemd/todod.catalog explains.
    "alert": "d4163456eda34048827f11ff04815828",
    "missed alert": "37d73267954b4f5bbf1b37453af2c08c",
    "snoozed alert": "37506c4d5dc04f888f35e231733d805d",
    "overdue alert": "aea097578a0a4c56a883c3f575da00c4",
    "reminder": "dbf50bc9065144708f16114a465b6de8",
    "alert summary": "177b3f1890294505bef65db8c292548c",
    "alerts held up": "88a084408214464db2cb7f083e573824",
    "alert sink failed": "45915efecd03486abc990acf825f6607",
    "daemon started": "691d6080e1174322a5e1eb7dd83bc49d",
    "daemon stopped": "abad69922e1a4d0b99668c8ed03adab0",
    "configuration reloaded": "b19f2c2b26e54b30b6eac764f346a569",
    "configuration rejected": "838f25bbf23b4ec99bb2addd32b1e6bb",
    "store in doubt": "f993c4aac6c6419f8a1309fa84b54852",
    "store damaged": "880365d5e84c4458b5cb1afe52dd52f5",
    "store replaced": "5a5a9815395b435bbd98d509bc4851c5",
    "unknown time zone": "3153f36a9b6a4772ad93954488cbe0e7",
    "store migrated": "d0d7f8c8c0bd4231b2f2d469d1a5d044",
    # Messages of systemd, which sd-messages.h names.
    "unit started": "39f53479d3a045ac8e11786248231fbf",
    "unit stopped": "9d1aaa27d60140bd96365438aad20286",
    "unit reloaded": "7b05ebc668384222baa8881179cfda54",
    "unit failed": "d9b373ed55a64feb8242e02dbe79a49c",
    "process exited": "98e322203f7a4ed290d09fe03c09fe15",
    "restart scheduled": "5eb03494b6584870a536b337290809b3",
}
# A regular expression for a time in the text of an alert.
DATE = r"\w{3} \d+ \w{3}(?: \d{4})? \d\d:\d\d"
# A regular expression for a time near now. A test may run just before midnight.
WHEN = r"(?:today|(?:yesterday|tomorrow) \w+ \d+ \w+(?: \d{4})?) \d\d:\d\d"
