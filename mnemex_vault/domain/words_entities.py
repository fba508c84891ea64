"""Names that are known without a model: technologies in their own spelling, concepts, organisations, first names."""

from __future__ import annotations

from mnemex_vault.domain.words import word_set

# one name a line where it has a space in it, else any number
TECHNOLOGY_NAMES = (
    *word_set(
        """
    ActiveMQ Airflow Airtable Alembic AlpineJS Android Angular Ansible Anthropic Apache Arduino Astro Auth0 AWS Axios
    Azure Babel Backbone.js Bash BigQuery Bitbucket Bluetooth Bootstrap Bun C# C++ Caddy Cassandra Celery Chroma ChatGPT
    Chromium CircleCI Claude ClickHouse Clojure Cloudflare CMake CockroachDB Codex Confluence Copilot Cosmos CouchDB CSS
    CUDA Cypress D3.js Datadog dbt Debian Deno DigitalOcean Django DNS Docker Dropbox DuckDB DynamoDB Electron
    Elasticsearch Elixir Elm Emacs Erlang ESLint Ethereum Evernote F# FastAPI Fedora Figma Firebase Firefox Flutter
    Fortran FreeBSD GCP Gemini Git GitHub GitLab Gmail Golang GPT-4 GPT-5 Gradle Grafana GraphQL gRPC Gunicorn Hadoop
    Haskell Heroku Hetzner HTML HTMX HTTP HTTPS HubSpot IndexedDB InfluxDB iOS IPFS iPad iPhone Istio Jaeger JavaScript
    Jenkins Jest Jira JQuery JSON JUnit Jupyter JVM JWT Kafka Kanban Keycloak Kibana Kotlin Kubernetes LangChain Laravel
    LaTeX Linux LLaMA LLM Lua MacBook macOS MariaDB Markdown MATLAB Matplotlib Maven MCP Memcached Mercurial Milvus
    MinIO MongoDB MQTT MySQL Neo4j Neovim Netlify Next.js NestJS Nginx NixOS Node.js NoSQL NPM Numba NumPy Nuxt.js OAuth
    OAuth2 Obsidian OCaml Ollama OpenAI OpenAPI OpenCV OpenID OpenShift OpenTelemetry OpenVPN ORM Pandas PayPal Perl PHP
    Pinecone Playwright PNPM Podman Poetry Postgres PostgreSQL Postman PowerShell Prisma Prometheus Protobuf Puppeteer
    PyCharm Pydantic Pyramid PySpark Pytest Python PyTorch Qdrant QGIS RabbitMQ Raspberry React.js ReactJS Redis
    Redshift Redux REST RHEL Rollup RPC RSpec Salesforce SAML Sass Scala Scikit-learn Selenium Sentry ServiceNow Shopify
    SignalR Slurm Snowflake Solr SonarQube Spotify SQL SQLAlchemy SQLite SSH SSL SSO Stripe Storybook Supabase Svelte
    SvelteKit SwiftUI Symfony Tailwind TailwindCSS TCP Tensorflow Terraform Textual TLS Todoist Trello tmux TypeScript
    Ubuntu UDP UML Unicode Unix UUID Vagrant VBA Vercel Vim VirtualBox VMware VPN VSCode Vue.js VueJS Vulkan WebAssembly
    Webpack WebRTC WebSocket WebSockets WhatsApp Whoosh WireGuard WordPress WSL XML Xcode XGBoost YAML Yarn YouTube
    Zapier Zigbee Zod Zotero Zustand
    """
    ),
    "Apache Spark",
    "App Store",
    "Claude Code",
    "Claude Desktop",
    "GitHub Actions",
    "GitLab CI",
    "Google Cloud",
    "Google Docs",
    "Google Drive",
    "Google Sheets",
    "Home Assistant",
    "IntelliJ IDEA",
    "Material UI",
    "Microsoft Teams",
    "Play Store",
    "Power BI",
    "Raspberry Pi",
    "Ruby on Rails",
    "Spring Boot",
    "VS Code",
    "Visual Studio",
    "Visual Studio Code",
)

# English words as well: taken for names only when written like this, and not as the first word of a sentence
AMBIGUOUS_NAMES = word_set(
    """
    Ant Atom Chef Chrome Consul Crystal Cursor Dart Dash Discord Eclipse Edge Elastic Ember Excel Express
    Flask Flux Go Helm Java Linear Meteor Mocha Nim Node Notion Nuxt Oracle
    Outlook Parcel Phoenix Puppet R Rails React Remix Ruby Rust Safari Sinatra Slack
    Spark Spring Stata Swift Travis Unity Unreal Vault Vite Vue Windows Zed Zig Zoom
    """
)

CONCEPTS = word_set(
    """
    api apis auth authentication authorization backend blockchain caching ci ci/cd crypto cybersecurity devops frontend
    infrastructure k8s kanban microservice microservices middleware monorepo observability scrum serverless typing ui ux
    webhook webhooks
    """
)

ORGANISATIONS = word_set(
    """
    Adobe Airbus Allianz Amazon AMD Apple Atlassian BASF Bayer BMW Boeing Bosch CERN Cisco Daimler Dell DHL Disney eBay
    Ericsson ESA ETH Facebook FedEx Fujitsu Google HP Huawei IBM IKEA Intel JetBrains Lenovo LinkedIn Lufthansa McKinsey
    Mercedes Meta Microsoft MIT Mozilla NASA Netflix Nike Nintendo Nokia Nvidia Novartis Philips Porsche Qualcomm Roche
    SAP Shell Siemens Sony Tesla Toyota Twitter Uber UBS UN UNESCO UNICEF Volkswagen Volvo WHO Yahoo
    """
)

# the last word of a run of capitalised words that makes it an organisation
ORGANISATION_ENDINGS = word_set(
    """
    AG Academy Agency Association Bank Clinic College Company Corp Corporation Council Foundation Fund GmbH Group
    Hospital Inc Institute Insurance KG Labs Ltd LLC LLP Ministry Museum NGO Partners SA SE School Society Solutions
    Studio Studios Systems Technologies UG Union University Ventures
    """
)

TITLES = word_set(
    "dr dr. mr mr. mrs mrs. ms ms. prof prof. professor doctor herr frau madame monsieur señor señora sir"
)

RELATIONS = word_set(
    """
    aunt baby boss boyfriend brother cat child children client colleague cousin coworker dad daughter dentist doctor dog
    ex father fiancé fiancée flatmate friend girlfriend godchild grandfather grandma grandmother grandpa granddaughter
    grandson horse husband kid kids landlady landlord manager mentor mother mum mom neighbour neighbor nephew niece
    nurse parents partner pet plumber roommate sibling sister son spouse stepfather stepmother supervisor teacher
    therapist twin uncle vet wife coach lawyer accountant physiotherapist tutor
    """
)

FIRST_NAMES = word_set(
    """
    Aaron Abigail Adam Adrian Agnes Ahmed Aisha Akira Alan Albert Alejandro Alex Alexander Alexandra Alfred Ali Alice
    Alicia Alina Amanda Amelia Amina Amir Amy Ana Andrea Andreas Andrew Andy Angela Anita Anja Ann Anna Anne Annika
    Antonio Anton Arjun Arthur Astrid Aurora Axel Barbara Beatrice Ben Benjamin Bernd Bianca Bob Boris Brian Bruno
    Camila Carl Carla Carlos Carmen Carol Caroline Catherine Cecilia Charles Charlie Charlotte Chiara Chloe Chris
    Christian Christina Christine Christoph Clara Claudia Cleo Colin Connor Cristina Daniel Daniela David Dan Deborah
    Dennis Diana Diego Dieter Dmitri Dominik Dominic Donald Doris Dorothy Edith Eduardo Edward Elena Eleanor Elias Elisa
    Elisabeth Elizabeth Ella Ellen Emil Emilia Emily Emma Eric Erik Erika Esther Ethan Eva Evelyn Fatima Felix Fernando
    Finn Fiona Florian Frances Francesca Francesco Frank Franz Frederik Frida Gabriel Gabriela Gareth George Georg
    Gerald Giulia Giovanni Gloria Greg Greta Guido Gustav Hana Hannah Hanna Hans Harry Hassan Heather Heidi Heinrich
    Helen Helena Helga Henrik Henry Hiroshi Hugo Ian Ibrahim Ida Igor Ines Inga Ingrid Irene Iris Isaac Isabel Isabella
    Ivan Jack Jacob Jakob James Jamie Jan Jana Jane Janet Jasper Jean Jeff Jennifer Jenny Jens Jerome Jessica Jim Joan
    Joanna Joe Johanna Johannes John Jonas Jonathan Jordan Jorge Jose José Josef Joseph Joshua Juan Judith Jules Julia
    Julian Julie Juliet Jürgen Kai Karen Karin Karl Karla Kate Katharina Katherine Kathleen Kathryn Katja Katrin Keiko
    Kelly Ken Kenji Kevin Kim Klara Klaus Kristin Kurt Lara Lars Laura Lauren Lea Lena Leo Leon Leonie Liam Lily Lina
    Linda Lisa Liz Lorenzo Louis Louise Luca Lucas Lucia Lucy Luis Luisa Lukas Luke Luna Lydia Maja Manuel Marc Marcel
    Marco Marcus Margaret Margarita Maria Mariam Marie Marina Mario Marion Markus Marta Martha Martin Martina Mary Mateo
    Mathias Matilda Matt Matteo Matthew Matthias Maurice Max Maximilian Maya Megan Mei Melanie Melissa Mia Michael
    Michaela Michel Michelle Miguel Mika Mike Mila Milan Miriam Mohamed Mohammed Monica Monika Moritz Nadia Nancy Naomi
    Natalia Natalie Nathan Neil Niklas Nick Nicolas Nicole Nikolai Nina Noah Noel Nora Norbert Nuria Olaf Oleg Olga
    Oliver Olivia Omar Oscar Oskar Otto Pablo Pamela Patricia Patrick Paul Paula Pauline Pavel Pedro Peggy Peter Petra
    Philip Philipp Pia Pierre Priya Rachel Rafael Rahul Raj Ralf Ralph Ravi Rebecca Rex Ricardo Richard Rita Robert
    Robin Roger Roland Roman Ron Rosa Rosie Roy Ruth Ryan Sabine Sally Sam Samantha Samir Samuel Sandra Sara Sarah Sasha
    Scott Sean Sebastian Selma Sergei Sharon Silke Silvia Simon Sofia Sofie Sonia Sophia Sophie Stefan Stefanie Stella
    Stephan Stephanie Stephen Steve Steven Sue Susan Susanne Suzanne Sven Sylvia Takeshi Tamara Tanja Tara Teresa Theo
    Theodor Theresa Thomas Tim Timo Tina Tobias Todd Tom Tomas Tony Tracy Ulrich Uma Ursula Uwe Valentina Valeria
    Vanessa Vera Veronica Viktor Victor Victoria Vincent Viola Walter Wanda Werner Wilhelm Will William Wolfgang Xavier
    Yasmin Yuki Yusuf Yvonne Zara Zoe
    """
)

# capitalised in English without being the name of anything that a memory is about
NO_NAMES = word_set(
    """
    i i'm i've i'd i'll monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays
    fridays saturdays sundays january february march april may june july august september october november december jan
    feb mar apr jun jul aug sep sept oct nov dec christmas easter ok okay yes no fyi asap todo note important btw
    decision remember reminder preference update warning critical am pm utc et al usa tbd tba lol omg wtf imho imo eta
    aka ps pps vs nb id ids faq diy rip idk tldr please thanks hello hi hey dear sorry
    """
)
