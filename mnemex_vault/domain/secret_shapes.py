"""The shapes of keys and tokens: what they begin with, how long they are, what they are made of."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shape:
    """One kind of secret; the group `body` of the pattern is the part that must look random."""

    kind: str
    pattern: re.Pattern[str]


def _rows(*rows: tuple[str, str]) -> tuple[Shape, ...]:
    return tuple(Shape(kind, re.compile(pattern)) for kind, pattern in rows)


# each begins with fixed signs, so that looking for all of them stays fast
SHAPES = _rows(
    (
        "private key",
        r"-----BEGIN (?:(?!PRIVATE)[A-Z0-9]+ )*+PRIVATE KEY(?: BLOCK)?-----(?:\\r|\\n|\s)++"
        r"(?:[A-Za-z-]+: [^\n]*\n|\s)*+(?P<body>[A-Za-z0-9+/=]{16,})",
    ),
    ("private key", r"Private-Lines: \d+\s+(?P<body>[A-Za-z0-9+/=]{32,})"),
    ("private key", r"AGE-SECRET-KEY-1(?P<body>[0-9A-Z]{58})"),
    ("private key", r"[xyz]prv(?P<body>[1-9A-HJ-NP-Za-km-z]{107,108})"),
    ("AWS key", r"A(?:KIA|SIA|BIA|CCA)(?P<body>[A-Z2-7]{16})"),
    ("GitHub token", r"gh[pousr]_(?P<body>[A-Za-z0-9]{36,251})"),
    ("GitHub token", r"github_pat_(?P<body>[A-Za-z0-9]{22}_[A-Za-z0-9]{59})"),
    (
        "GitLab token",
        r"gl(?:pat|dt|rt|ptt|cbt|soat|ft|agent|imt|ffct)-(?P<body>[A-Za-z0-9_-]{20,300}(?:\.[0-9a-z.]{9,12})?)",
    ),
    ("Anthropic key", r"sk-ant-[a-z]{3,8}\d\d-(?P<body>[A-Za-z0-9_-]{40,})"),
    ("OpenRouter key", r"sk-or-v1-(?P<body>[0-9a-f]{64})"),
    ("OpenAI key", r"sk-(?:proj|svcacct|admin|None|service)-(?P<body>[A-Za-z0-9_-]{20,})"),
    ("OpenAI key", r"sk-(?P<body>[A-Za-z0-9]{32,64})"),
    ("Groq key", r"gsk_(?P<body>[A-Za-z0-9]{52})"),
    ("xAI key", r"xai-(?P<body>[A-Za-z0-9]{80})"),
    ("Hugging Face token", r"hf_(?P<body>[A-Za-z0-9]{34,40})"),
    ("Replicate token", r"r8_(?P<body>[A-Za-z0-9]{37,40})"),
    ("Perplexity key", r"pplx-(?P<body>[A-Za-z0-9]{48,56})"),
    ("LangSmith key", r"lsv2_(?:pt|sk)_(?P<body>[0-9a-f]{32}_[0-9a-f]{10})"),
    ("Tavily key", r"tvly-(?:dev-|prod-)?(?P<body>[A-Za-z0-9]{32})"),
    ("Pinecone key", r"pcsk_(?P<body>[A-Za-z0-9]{5,6}_[A-Za-z0-9]{63})"),
    ("ElevenLabs key", r"sk_(?P<body>[0-9a-f]{48})"),
    ("Google key", r"AIza(?P<body>[A-Za-z0-9_-]{35})"),
    ("Google token", r"ya29\.(?P<body>[A-Za-z0-9_-]{20,})"),
    ("Google token", r"GOCSPX-(?P<body>[A-Za-z0-9_-]{28})"),
    ("Slack token", r"xox[abceoprs]-(?P<body>(?:\d+-)*[A-Za-z0-9-]{10,})"),
    ("Slack token", r"xapp-\d-[A-Z0-9]+-\d+-(?P<body>[a-f0-9]{40,})"),
    ("webhook", r"https://hooks\.slack\.com/services/T[A-Z0-9]+/B[A-Z0-9]+/(?P<body>[A-Za-z0-9]{20,})"),
    ("webhook", r"https://(?:ptb\.|canary\.)?discord(?:app)?\.com/api/webhooks/\d+/(?P<body>[A-Za-z0-9_-]{60,})"),
    ("Discord token", r"[MNO][A-Za-z0-9]{23,27}\.[A-Za-z0-9_-]{6}\.(?P<body>[A-Za-z0-9_-]{27,38})"),
    ("Telegram token", r"\d{8,10}:(?P<body>AA[A-Za-z0-9_-]{33})"),
    ("Stripe key", r"[sr]k_(?:live|test)_(?P<body>[A-Za-z0-9]{24,})"),
    ("webhook", r"whsec_(?P<body>[A-Za-z0-9+/]{32,})"),
    ("Twilio key", r"SK(?P<body>[0-9a-f]{32})"),
    ("SendGrid key", r"SG\.(?P<body>[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43})"),
    ("Mailgun key", r"key-(?P<body>[0-9a-f]{32})"),
    ("Resend key", r"re_(?P<body>[A-Za-z0-9]{8}_[A-Za-z0-9]{24})"),
    ("npm token", r"npm_(?P<body>[A-Za-z0-9]{36})"),
    ("PyPI token", r"pypi-AgE(?P<body>[A-Za-z0-9_-]{50,})"),
    ("RubyGems key", r"rubygems_(?P<body>[0-9a-f]{48})"),
    ("Docker token", r"dckr_(?:pat|oat)_(?P<body>[A-Za-z0-9_-]{27,32})"),
    ("DigitalOcean token", r"do[opr]_v1_(?P<body>[0-9a-f]{64})"),
    ("Azure key", r"(?:AccountKey|SharedAccessKey)=(?P<body>[A-Za-z0-9+/]{43,86}=+)"),
    ("Shopify token", r"shp(?:at|ca|pa|ss)_(?P<body>[0-9a-fA-F]{32})"),
    ("Square token", r"sq0(?:atp|csp|idp)-(?P<body>[A-Za-z0-9_-]{22,43})"),
    ("Linear key", r"lin_(?:api|oauth)_(?P<body>[A-Za-z0-9]{40,64})"),
    ("Notion token", r"(?:secret_(?=[A-Za-z0-9]{43}\b)|ntn_)(?P<body>[A-Za-z0-9]{43,50})"),
    ("Figma token", r"fig[dou]_?(?P<body>[A-Za-z0-9_-]{40,})"),
    ("Grafana token", r"glsa_(?P<body>[A-Za-z0-9]{32}_[0-9a-fA-F]{8})"),
    ("New Relic key", r"NRAK-(?P<body>[A-Z0-9]{27})"),
    ("Databricks token", r"dapi(?P<body>[0-9a-f]{32})"),
    ("Doppler token", r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?(?P<body>[A-Za-z0-9]{40,44})"),
    ("HashiCorp token", r"hv[sbr]\.(?P<body>[A-Za-z0-9_-]{24,})"),
    ("HashiCorp token", r"[A-Za-z0-9]{14}\.atlasv1\.(?P<body>[A-Za-z0-9_=-]{60,70})"),
    ("Pulumi token", r"pul-(?P<body>[0-9a-f]{40})"),
    ("Supabase key", r"(?:sbp_|sb_secret_)(?P<body>[A-Za-z0-9_-]{31,50})"),
    ("Netlify token", r"nf[pcou]_(?P<body>[A-Za-z0-9]{36})"),
    ("Airtable token", r"pat(?P<body>[A-Za-z0-9]{14}\.[0-9a-f]{64})"),
    ("Postman key", r"PMAK-(?P<body>[0-9a-f]{24}-[0-9a-f]{34})"),
    ("Atlassian token", r"AT(?:ATT|CTT|BBT)3(?P<body>[A-Za-z0-9_=-]{60,})"),
    ("Heroku key", r"HRKU-(?P<body>[A-Za-z0-9_-]{36,66})"),
    ("1Password token", r"ops_eyJ(?P<body>[A-Za-z0-9+/=_-]{100,})"),
    ("Tailscale key", r"tskey-(?:[a-z]+-)?[A-Za-z0-9]+-(?P<body>[A-Za-z0-9]{20,})"),
    ("Sentry token", r"sntry[su]_(?P<body>[A-Za-z0-9+/=_-]{60,})"),
    ("Fly token", r"(?:FlyV1 )?fm[12][a-z]?_(?P<body>[A-Za-z0-9+/=,_-]{60,})"),
    ("PlanetScale token", r"pscale_(?:tkn|pw|oauth)_(?P<body>[A-Za-z0-9_.-]{32,64})"),
    ("Cloudflare key", r"v1\.0-(?P<body>[0-9a-f]{24}-[0-9a-f]{100,})"),
    ("Cloudflare token", r"cf(?:at|ut|k)_(?P<body>[A-Za-z0-9]{40,})"),
    (
        "access token",
        r"eyJ(?<![A-Za-z0-9_-]eyJ)[A-Za-z0-9_-]{8,}+\."
        r"(?P<body>eyJ[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{16,}+)",
    ),
)
