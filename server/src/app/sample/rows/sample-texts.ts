import type { Texts } from './sample-rows.ts'

// What the sample company is called and made of, except its items.

const text = (en: string, de: string): Texts => ({ en, de })

/** The people: those who work here, and three of the customer. */
export const people = {
  ana: { name: 'Ana Martins', jobRole: text('Support lead', 'Leitung Support') },
  ben: { name: 'Ben Okafor', jobRole: text('Engineer', 'Technik') },
  chloe: { name: 'Chloe Dubois', jobRole: text('Designer', 'Gestaltung') },
  david: { name: 'David Kim', jobRole: text('Developer', 'Entwicklung') },
  eva: { name: 'Eva Novak', jobRole: text('Office', 'Büro') },
  nina: { name: 'Nina Petrov', jobRole: text('Bakery manager', 'Leitung Backstube') },
  omar: { name: 'Omar Haddad', jobRole: text('Logistics', 'Logistik') },
  priya: { name: 'Priya Nair', jobRole: text('Accounting', 'Buchhaltung') },
} as const

export type PersonName = keyof typeof people
export const customers: readonly PersonName[] = ['nina', 'omar', 'priya']

export const customer = {
  name: text('Brightwater Bakeries', 'Bäckereien Hellwasser'),
  city: text('Bristol', 'Bremen'),
  tier: 'Gold',
  notes: text(
    'Twelve shops, one bakery. The frame contract covers support from eight to six.',
    'Zwölf Filialen, eine Backstube. Der Rahmenvertrag umfasst Support von acht bis sechs.',
  ),
}

/** The label of everything that the sample contains. */
export const sampleLabel = 'sample'

export const labelNames: Readonly<Record<string, Texts>> = {
  hardware: text('hardware', 'Hardware'),
  access: text('access', 'Zugang'),
  orders: text('orders', 'Bestellungen'),
  invoice: text('invoice', 'Rechnung'),
  question: text('question', 'Frage'),
  backend: text('backend', 'Backend'),
  design: text('design', 'Gestaltung'),
  bug: text('bug', 'Fehler'),
  ops: text('operations', 'Betrieb'),
  idea: text('idea', 'Idee'),
  office: text('office', 'Büro'),
  people: text('people', 'Personal'),
  finance: text('finance', 'Finanzen'),
  it: text('IT', 'IT'),
}

export const desk = {
  name: text('Customer support', 'Kundensupport'),
  key: 'HELP',
  description: text(
    'Requests of our customers, from eight to six.',
    'Anfragen unserer Kunden, von acht bis sechs Uhr.',
  ),
  process: text('Support request', 'Supportanfrage'),
  clock: text('Support hours', 'Supportzeiten'),
  filter: text('Urgent and open', 'Dringend und offen'),
}

export const software = {
  name: text('Ordering app', 'Bestell-App'),
  key: 'APP',
  description: text(
    'The app with which bakeries order and deliver.',
    'Die App, mit der Bäckereien bestellen und liefern.',
  ),
  process: text('Development', 'Entwicklung'),
  filter: text('Bugs', 'Fehler'),
  cycle: text('Cycle', 'Zyklus'),
  goals: [
    text('Orders survive a restart', 'Bestellungen überstehen einen Neustart'),
    text('Orders without a connection', 'Bestellen ohne Verbindung'),
    text('Drivers know their route', 'Fahrer kennen ihre Tour'),
  ],
}

export const operations = {
  name: text('Internal operations', 'Interne Organisation'),
  key: 'OPS',
  description: text('What keeps the company going.', 'Was die Firma am Laufen hält.'),
  process: text('Internal task', 'Interne Aufgabe'),
}
