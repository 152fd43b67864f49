// Generated from the code tables of the service by `npm run sdk`. Changes here are lost.

/** The codes of `accessControl.effect`. */
export const accessControlEffect = {
  /** Allow */
  allow: 0,
  /** Deny */
  deny: 1,
} as const

/** The codes of `actionType`. */
export const actionType = {
  /** Set a field */
  setField: 0,
  /** Add to a list field */
  addToList: 1,
  /** Remove from a list field */
  removeFromList: 2,
  /** Clear a field */
  clearField: 3,
  /** Adjust a number or a date */
  adjust: 4,
  /** Copy from another field */
  copyFrom: 5,
  /** Move on in the workflow */
  transition: 6,
  /** Assign */
  assign: 7,
  /** Move to a container or an area */
  move: 8,
  /** Add an internal note */
  addNote: 9,
  /** Reply publicly */
  reply: 10,
  /** Create an item */
  createItem: 11,
  /** Link */
  link: 12,
  /** Add a watcher */
  addWatcher: 13,
  /** Remove a watcher */
  removeWatcher: 14,
  /** Log time */
  logTime: 15,
  /** Start a clock */
  clockStart: 16,
  /** Pause a clock */
  clockPause: 17,
  /** Resume a clock */
  clockResume: 18,
  /** Stop a clock */
  clockStop: 19,
  /** Reset a clock */
  clockReset: 20,
  /** Switch to another clock, keeping the time */
  clockSwitch: 21,
  /** Send a mail */
  sendMail: 22,
  /** Notify in the application */
  notify: 23,
  /** Refuse the change */
  veto: 24,
  /** Close */
  close: 25,
  /** Reopen */
  reopen: 26,
  /** Archive */
  archive: 27,
  /** Delete */
  delete: 28,
  /** Merge into another item */
  mergeInto: 29,
  /** Ask for approval */
  requestApproval: 30,
  /** Restrict to groups */
  restrict: 31,
  /** Ask the assistant */
  assist: 32,
  /** Call by POST */
  httpPost: 40,
  /** Call by PUT */
  httpPut: 41,
  /** Call by PATCH */
  httpPatch: 42,
  /** Call by DELETE */
  httpDelete: 43,
  /** Call by GET */
  httpGet: 44,
  /** Slack message */
  slack: 45,
  /** Teams message */
  teams: 46,
  /** Text message */
  sms: 47,
} as const

/** The codes of `annotation.kind`. */
export const annotationKind = {
  /** Note */
  note: 0,
  /** Reply */
  reply: 1,
  /** Message */
  message: 2,
  /** System */
  system: 3,
  /** Decision */
  decision: 4,
  /** Resolution */
  resolution: 5,
  /** Update */
  update: 6,
} as const

/** The codes of `apiKey.kind`. */
export const apiKeyKind = {
  /** Personal */
  personal: 0,
  /** Service */
  service: 1,
} as const

/** The codes of `approval.state`. */
export const approvalState = {
  /** Pending */
  pending: 0,
  /** Approved */
  approved: 1,
  /** Rejected */
  rejected: 2,
  /** Cancelled */
  cancelled: 3,
} as const

/** The codes of `board.rankScope`. */
export const boardRankScope = {
  /** Container */
  container: 0,
} as const

/** The codes of `board.sortMode`. */
export const boardSortMode = {
  /** Rank */
  rank: 0,
  /** Field */
  field: 1,
} as const

/** The codes of `board.wipMode`. */
export const boardWipMode = {
  /** Cards */
  cards: 0,
  /** Points */
  points: 1,
  /** Minutes */
  minutes: 2,
} as const

/** The codes of `board.wipPolicy`. */
export const boardWipPolicy = {
  /** Warn */
  warn: 0,
  /** Block */
  block: 1,
} as const

/** The codes of `budget.period`. */
export const budgetPeriod = {
  /** Once */
  once: 0,
  /** Weekly */
  weekly: 1,
  /** Monthly */
  monthly: 2,
  /** Quarterly */
  quarterly: 3,
  /** Yearly */
  yearly: 4,
} as const

/** The codes of `budget.unit`. */
export const budgetUnit = {
  /** Minutes */
  minutes: 0,
  /** Cost */
  cost: 1,
  /** Value */
  value: 2,
} as const

/** The codes of `budgetEntry.state`. */
export const budgetEntryState = {
  /** Proposed */
  proposed: 0,
  /** Approved */
  approved: 1,
  /** Rejected */
  rejected: 2,
} as const

/** The codes of `budgetReason.kind`. */
export const budgetReasonKind = {
  /** Initial budget */
  initial: 0,
  /** Change request */
  changeRequest: 1,
  /** Overrun */
  overrun: 2,
  /** Write-off */
  writeOff: 3,
  /** Transfer */
  transfer: 4,
  /** Correction */
  correction: 5,
} as const

/** The codes of `chat.kind`. */
export const chatKind = {
  /** Team */
  team: 0,
  /** Direct */
  direct: 1,
  /** Customer */
  customer: 2,
  /** Assistant */
  assistant: 3,
  /** Visitor */
  visitor: 4,
} as const

/** The codes of `clock.state`. */
export const clockState = {
  /** Not started */
  notStarted: 0,
  /** Green */
  green: 1,
  /** Amber */
  amber: 2,
  /** Red */
  red: 3,
  /** Paused */
  paused: 4,
  /** Met */
  met: 5,
  /** Met late */
  metLate: 6,
  /** Cancelled */
  cancelled: 7,
} as const

/** The codes of `clock.target.kind`. */
export const clockTargetKind = {
  /** Custom */
  custom: 0,
  /** First response */
  firstResponse: 1,
  /** Next response */
  nextResponse: 2,
  /** Update */
  update: 3,
  /** Resolution */
  resolution: 4,
  /** Requester wait */
  requesterWait: 5,
  /** Agent work */
  agentWork: 6,
} as const

/** The codes of `clock.thresholdMode`. */
export const clockThresholdMode = {
  /** Elapsed */
  elapsed: 0,
  /** Percent */
  percent: 1,
  /** Remaining */
  remaining: 2,
} as const

/** The codes of `constraint.enforceOn`. */
export const constraintEnforceOn = {
  /** Ui */
  ui: 0,
  /** Api */
  api: 1,
  /** Import */
  import: 2,
  /** Rule */
  rule: 3,
} as const

/** The codes of `constraint.severity`. */
export const constraintSeverity = {
  /** Refuse */
  refuse: 0,
  /** Warn */
  warn: 1,
} as const

/** The codes of `constraint.then.kind`. */
export const constraintThenKind = {
  /** Required */
  required: 0,
  /** Read only */
  readOnly: 1,
  /** Hidden */
  hidden: 2,
  /** Allowed */
  allowed: 3,
  /** Pattern */
  pattern: 4,
  /** Unique */
  unique: 5,
  /** Limit */
  limit: 6,
  /** No overlap */
  noOverlap: 7,
  /** Maximum */
  maximum: 8,
  /** Order */
  order: 9,
  /** Immutable */
  immutable: 10,
  /** Not after */
  notAfter: 11,
} as const

/** The codes of `container.health`. */
export const containerHealth = {
  /** On track */
  onTrack: 0,
  /** At risk */
  atRisk: 1,
  /** Off track */
  offTrack: 2,
} as const

/** The codes of `container.kind`. */
export const containerKind = {
  /** Project */
  project: 0,
  /** Service desk */
  desk: 1,
  /** Product */
  product: 2,
  /** Internal */
  internal: 3,
} as const

/** The codes of `containerFilter.layout`. */
export const containerFilterLayout = {
  /** List */
  list: 0,
  /** Board */
  board: 1,
  /** Gantt */
  gantt: 2,
  /** Calendar */
  calendar: 3,
  /** Chart */
  chart: 4,
} as const

/** The codes of `contentTemplate.kind`. */
export const contentTemplateKind = {
  /** Canned reply */
  cannedReply: 0,
  /** Notification mail */
  notificationMail: 1,
  /** Auto reply */
  autoReply: 2,
  /** Item description */
  itemDescription: 3,
  /** Document */
  document: 4,
  /** Chat */
  chat: 5,
  /** Macro */
  macro: 6,
  /** Webhook body */
  webhookBody: 7,
  /** Report */
  report: 8,
} as const

/** The codes of `contract.overage`. */
export const contractOverage = {
  /** Normal rates */
  normalRates: 0,
  /** Own rate */
  ownRate: 1,
} as const

/** The codes of `contract.period`. */
export const contractPeriod = {
  /** Once */
  once: 0,
  /** Month */
  month: 1,
  /** Quarter */
  quarter: 2,
  /** Year */
  year: 3,
} as const

/** The codes of `contract.rollover`. */
export const contractRollover = {
  /** None */
  none: 0,
  /** Capped */
  capped: 1,
  /** All */
  all: 2,
} as const

/** The codes of `crm.status`. */
export const crmStatus = {
  /** Active */
  active: 0,
  /** Prospect */
  prospect: 1,
  /** Former */
  former: 2,
} as const

/** The codes of `cycle.rollover`. */
export const cycleRollover = {
  /** Next */
  next: 0,
  /** Backlog */
  backlog: 1,
  /** Ask */
  ask: 2,
} as const

/** The codes of `cycle.state`. */
export const cycleState = {
  /** Planned */
  planned: 0,
  /** Active */
  active: 1,
  /** Done */
  done: 2,
} as const

/** The codes of `delivery.state`. */
export const deliveryState = {
  /** Waiting */
  waiting: 0,
  /** Delivered */
  delivered: 1,
  /** Failed */
  failed: 2,
  /** Cancelled */
  cancelled: 3,
} as const

/** The codes of `document.state`. */
export const documentState = {
  /** Draft */
  draft: 0,
  /** Internal */
  internal: 1,
  /** Public */
  public: 2,
} as const

/** The codes of `file.state`. */
export const fileState = {
  /** Uploading */
  uploading: 0,
  /** Scanning */
  scanning: 1,
  /** Ready */
  ready: 2,
  /** Quarantined */
  quarantined: 3,
} as const

/** The codes of `hook.format`. */
export const hookFormat = {
  /** Standard */
  standard: 0,
  /** Thin */
  thin: 1,
  /** Cloud events */
  cloudEvents: 2,
  /** Slack */
  slack: 3,
  /** Teams */
  teams: 4,
} as const

/** The codes of `hook.state`. */
export const hookState = {
  /** Well */
  well: 0,
  /** Failing */
  failing: 1,
  /** Disabled */
  disabled: 2,
} as const

/** The codes of `inbox.reason`. */
export const inboxReason = {
  /** Manual */
  manual: 0,
  /** Author */
  author: 1,
  /** Assignee */
  assignee: 2,
  /** Mentioned */
  mentioned: 3,
  /** Commented */
  commented: 4,
  /** Rule */
  rule: 5,
  /** Group */
  group: 6,
  /** Cc */
  cc: 7,
  /** Responsible */
  responsible: 8,
} as const

/** The codes of `interval`. */
export const interval = {
  /** Only when asked for */
  off: 0,
  /** Every 15 minutes */
  quarterHourly: 1,
  /** Hourly */
  hourly: 2,
  /** Daily */
  daily: 3,
  /** Every working day */
  workingDay: 4,
  /** Weekly */
  weekly: 5,
  /** Every two weeks */
  fortnightly: 6,
  /** Monthly */
  monthly: 7,
  /** Quarterly */
  quarterly: 8,
  /** When the result gains a record */
  onGain: 9,
} as const

/** The codes of `invoice.groupBy`. */
export const invoiceGroupBy = {
  /** Item */
  item: 0,
  /** Container */
  container: 1,
  /** Container job role */
  containerJobRole: 2,
  /** User */
  user: 3,
  /** Entry */
  entry: 4,
  /** Day */
  day: 5,
} as const

/** The codes of `invoice.kind`. */
export const invoiceKind = {
  /** Invoice */
  invoice: 0,
  /** Credit note */
  creditNote: 1,
} as const

/** The codes of `invoice.line.source`. */
export const invoiceLineSource = {
  /** Free */
  free: 0,
  /** Time */
  time: 1,
  /** Fee */
  fee: 2,
  /** Overage */
  overage: 3,
} as const

/** The codes of `invoice.state`. */
export const invoiceState = {
  /** Draft */
  draft: 0,
  /** Approved */
  approved: 1,
  /** Issued */
  issued: 2,
  /** Cancelled */
  cancelled: 3,
} as const

/** The codes of `item.scheduling`. */
export const itemScheduling = {
  /** Pushed */
  pushed: 0,
  /** Automatic */
  automatic: 1,
  /** Fixed */
  fixed: 2,
} as const

/** The codes of `item.severity`. */
export const itemSeverity = {
  /** None */
  none: 0,
  /** Critical */
  critical: 1,
  /** Major */
  major: 2,
  /** Minor */
  minor: 3,
  /** Trivial */
  trivial: 4,
} as const

/** The codes of `item.source`. */
export const itemSource = {
  /** Ui */
  ui: 0,
  /** Api */
  api: 1,
  /** Mail */
  mail: 2,
  /** Portal */
  portal: 3,
  /** Import */
  import: 4,
  /** Rule */
  rule: 5,
  /** Recurrence */
  recurrence: 6,
  /** Chat */
  chat: 7,
} as const

/** The codes of `item.visibility`. */
export const itemVisibility = {
  /** Normal */
  normal: 0,
  /** Restricted */
  restricted: 1,
  /** Confidential */
  confidential: 2,
} as const

/** The codes of `itemTemplate.relation`. */
export const itemTemplateRelation = {
  /** None */
  none: 0,
  /** Parent requester */
  parentRequester: 1,
  /** Parent creator */
  parentCreator: 2,
  /** Container lead */
  containerLead: 3,
} as const

/** The codes of `leave.half`. */
export const leaveHalf = {
  /** Whole */
  whole: 0,
  /** Morning */
  morning: 1,
  /** Afternoon */
  afternoon: 2,
} as const

/** The codes of `leave.kind`. */
export const leaveKind = {
  /** Holiday */
  holiday: 0,
  /** Illness */
  illness: 1,
  /** Training */
  training: 2,
  /** Other */
  other: 3,
} as const

/** The codes of `leave.state`. */
export const leaveState = {
  /** Requested */
  requested: 0,
  /** Approved */
  approved: 1,
  /** Rejected */
  rejected: 2,
  /** Cancelled */
  cancelled: 3,
} as const

/** The codes of `limiter`. */
export const limiter = {
  /** All matches each time */
  none: 0,
  /** New matches only */
  newMatches: 1,
  /** Each record once */
  oncePerRecord: 2,
  /** Each record once a day */
  oncePerDay: 3,
  /** Each record once a week */
  oncePerWeek: 4,
  /** Records changed since the last time */
  changedOnly: 5,
  /** Only if the list differs from the last one */
  ifDifferent: 6,
} as const

/** The codes of `link.behaviour`. */
export const linkBehaviour = {
  /** Relates */
  relates: 0,
  /** Blocks */
  blocks: 1,
  /** Precedes */
  precedes: 2,
  /** Duplicates */
  duplicates: 3,
  /** Parent */
  parent: 4,
  /** Causes */
  causes: 5,
  /** Clones */
  clones: 6,
  /** Custom */
  custom: 7,
} as const

/** The codes of `link.dependency`. */
export const linkDependency = {
  /** Finish start */
  finishStart: 0,
  /** Start start */
  startStart: 1,
  /** Finish finish */
  finishFinish: 2,
  /** Start finish */
  startFinish: 3,
} as const

/** The codes of `mail.autoReplyPolicy`. */
export const mailAutoReplyPolicy = {
  /** New tickets */
  newTickets: 0,
  /** Every message */
  everyMessage: 1,
  /** Nobody */
  nobody: 2,
} as const

/** The codes of `mail.htmlPolicy`. */
export const mailHtmlPolicy = {
  /** Cleaned */
  cleaned: 0,
  /** Text only */
  textOnly: 1,
} as const

/** The codes of `mail.loopQuotas.scope`. */
export const mailLoopQuotasScope = {
  /** Item */
  item: 0,
  /** Tenant */
  tenant: 1,
} as const

/** The codes of `mail.spoofPolicy`. */
export const mailSpoofPolicy = {
  /** Reject */
  reject: 0,
  /** Quarantine */
  quarantine: 1,
  /** Mark */
  mark: 2,
} as const

/** The codes of `mailMessage.outcome`. */
export const mailMessageOutcome = {
  /** Pending */
  pending: 0,
  /** Created */
  created: 1,
  /** Appended */
  appended: 2,
  /** Quarantined */
  quarantined: 3,
  /** Dropped */
  dropped: 4,
  /** Report */
  report: 5,
  /** Failed */
  failed: 6,
} as const

/** The codes of `mailMessage.verdict`. */
export const mailMessageVerdict = {
  /** Unknown */
  unknown: 0,
  /** Proven */
  proven: 1,
  /** Unproven */
  unproven: 2,
} as const

/** The codes of `mailbox.protocol`. */
export const mailboxProtocol = {
  /** Imap */
  imap: 0,
  /** Pop3 */
  pop3: 1,
  /** Graph */
  graph: 2,
  /** Gmail */
  gmail: 3,
  /** Pushed */
  pushed: 4,
  /** Forwarding */
  forwarding: 5,
} as const

/** The codes of `mailbox.security`. */
export const mailboxSecurity = {
  /** Tls */
  tls: 0,
  /** Start tls */
  startTls: 1,
  /** None */
  none: 2,
} as const

/** The codes of `nonBillable.kind`. */
export const nonBillableKind = {
  /** Internal */
  internal: 0,
  /** Leave */
  leave: 1,
  /** Sick */
  sick: 2,
  /** Holiday */
  holiday: 3,
  /** Training */
  training: 4,
  /** Sales */
  sales: 5,
  /** Idle */
  idle: 6,
} as const

/** The codes of `nonBillable.unit`. */
export const nonBillableUnit = {
  /** Minutes */
  minutes: 0,
  /** Days */
  days: 1,
} as const

/** The codes of `notification.format`. */
export const notificationFormat = {
  /** List */
  list: 0,
  /** Count */
  count: 1,
  /** Csv */
  csv: 2,
  /** Xlsx */
  xlsx: 3,
} as const

/** The codes of `notification.outcome`. */
export const notificationOutcome = {
  /** Sent */
  sent: 0,
  /** Nothing to report */
  nothingToReport: 1,
  /** No recipients */
  noRecipients: 2,
  /** Failed */
  failed: 3,
} as const

/** The codes of `oauthClient.kind`. */
export const oauthClientKind = {
  /** Public */
  public: 0,
  /** Confidential */
  confidential: 1,
} as const

/** The codes of `operator`. */
export const operator = {
  /** Equals */
  equals: 0,
  /** Not equals */
  notEquals: 1,
  /** Contains */
  contains: 2,
  /** Not contains */
  notContains: 3,
  /** Greater than */
  greaterThan: 4,
  /** Greater or equal */
  greaterOrEqual: 5,
  /** Less than */
  lessThan: 6,
  /** Less or equal */
  lessOrEqual: 7,
  /** Is empty */
  isEmpty: 8,
  /** Is not empty */
  isNotEmpty: 9,
  /** Starts with */
  startsWith: 10,
  /** Ends with */
  endsWith: 11,
  /** In */
  in: 12,
  /** Not in */
  notIn: 13,
  /** Between */
  between: 14,
  /** Contains all */
  containsAll: 15,
  /** Matches */
  matches: 16,
  /** Not matches */
  notMatches: 17,
  /** Changed */
  changed: 18,
  /** Changed to */
  changedTo: 19,
  /** Changed from */
  changedFrom: 20,
  /** Not changed */
  notChanged: 21,
  /** Within last */
  withinLast: 22,
  /** Within next */
  withinNext: 23,
  /** Older than */
  olderThan: 24,
  /** Later than */
  laterThan: 25,
  /** In working time */
  inWorkingTime: 26,
  /** Not in working time */
  notInWorkingTime: 27,
  /** Member of */
  memberOf: 28,
  /** Not member of */
  notMemberOf: 29,
  /** Under */
  under: 30,
  /** Search */
  search: 31,
} as const

/** The codes of `outboundMail.purpose`. */
export const outboundMailPurpose = {
  /** Plain */
  plain: 0,
  /** Reply */
  reply: 1,
  /** Forward */
  forward: 2,
  /** Auto reply */
  autoReply: 3,
  /** Notification */
  notification: 4,
  /** Test */
  test: 5,
  /** Satisfaction */
  satisfaction: 6,
} as const

/** The codes of `outboundMail.state`. */
export const outboundMailState = {
  /** Queued */
  queued: 0,
  /** Sent */
  sent: 1,
  /** Deferred */
  deferred: 2,
  /** Bounced */
  bounced: 3,
  /** Suppressed */
  suppressed: 4,
  /** Cancelled */
  cancelled: 5,
} as const

/** The codes of `outboundStorage.encryption`. */
export const outboundStorageEncryption = {
  /** Of bucket */
  ofBucket: 0,
  /** Aes256 */
  aes256: 1,
} as const

/** The codes of `outboundStorage.kind`. */
export const outboundStorageKind = {
  /** Local */
  local: 0,
  /** S3 */
  s3: 1,
} as const

/** The codes of `owner`. */
export const owner = {
  /** Tenant */
  tenant: 0,
  /** Container */
  container: 1,
  /** Area */
  area: 2,
  /** Item */
  item: 3,
  /** User */
  user: 4,
  /** User group */
  userGroup: 5,
  /** Crm */
  crm: 6,
  /** Process */
  process: 7,
  /** Board */
  board: 8,
  /** Cycle */
  cycle: 9,
  /** Document */
  document: 10,
  /** Folder */
  folder: 11,
  /** Plan */
  plan: 12,
  /** Mailbox */
  mailbox: 13,
  /** Sku */
  sku: 14,
  /** Annotation */
  annotation: 15,
  /** Container filter */
  containerFilter: 16,
  /** Chat room */
  chatRoom: 17,
  /** Cost center */
  costCenter: 18,
} as const

/** The codes of `placement`. */
export const placement = {
  /** Everywhere */
  everywhere: 0,
  /** When an item is created */
  createForm: 1,
  /** When an item is edited */
  editForm: 2,
  /** Among the attributes of an item */
  attributes: 3,
  /** In the body of an item */
  content: 4,
  /** As a column of lists */
  listColumn: 5,
  /** On cards */
  boardCard: 6,
  /** When a requester creates an item */
  portalForm: 7,
  /** When a requester views an item */
  portalView: 8,
  /** When an item is created by quick add */
  quickAdd: 9,
  /** In print and exports */
  print: 10,
  /** When time is logged */
  timeForm: 11,
  /** In the timesheet */
  timesheet: 12,
} as const

/** The codes of `plan.state`. */
export const planState = {
  /** Draft */
  draft: 0,
  /** Proposed */
  proposed: 1,
  /** Approved */
  approved: 2,
} as const

/** The codes of `plan.unit`. */
export const planUnit = {
  /** Minutes per day */
  minutesPerDay: 0,
  /** Total minutes */
  totalMinutes: 1,
  /** Percent */
  percent: 2,
} as const

/** The codes of `preference.digest`. */
export const preferenceDigest = {
  /** None */
  none: 0,
  /** Quarter */
  quarter: 1,
  /** Hourly */
  hourly: 2,
  /** Daily */
  daily: 3,
} as const

/** The codes of `priority`. */
export const priority = {
  /** None */
  none: 0,
  /** Urgent */
  urgent: 1,
  /** High */
  high: 2,
  /** Medium */
  medium: 3,
  /** Low */
  low: 4,
} as const

/** The codes of `recurrence.mode`. */
export const recurrenceMode = {
  /** Schedule */
  schedule: 0,
  /** On close */
  onClose: 1,
  /** Rolling */
  rolling: 2,
} as const

/** The codes of `report.isBillable`. */
export const reportIsBillable = {
  /** No */
  no: 0,
  /** Yes */
  yes: 1,
} as const

/** The codes of `role`. */
export const role = {
  /** None */
  none: 0,
  /** Read only */
  readOnly: 1,
  /** Requester */
  requester: 2,
  /** Member */
  member: 3,
  /** Manager */
  manager: 5,
  /** Admin */
  admin: 6,
} as const

/** The codes of `rounding.mode`. */
export const roundingMode = {
  /** None */
  none: 0,
  /** Nearest */
  nearest: 1,
  /** Up */
  up: 2,
  /** Down */
  down: 3,
} as const

/** The codes of `rounding.per`. */
export const roundingPer = {
  /** Entry */
  entry: 0,
  /** Day */
  day: 1,
  /** Line */
  line: 2,
} as const

/** The codes of `rule.dryRun.state`. */
export const ruleDryRunState = {
  /** Running */
  running: 0,
  /** Done */
  done: 1,
  /** Cancelled */
  cancelled: 2,
  /** Failed */
  failed: 3,
} as const

/** The codes of `rule.mode`. */
export const ruleMode = {
  /** After commit */
  afterCommit: 0,
  /** Before commit */
  beforeCommit: 1,
} as const

/** The codes of `rule.outcome`. */
export const ruleOutcome = {
  /** Missed */
  missed: 0,
  /** Acted */
  acted: 1,
  /** Unchanged */
  unchanged: 2,
  /** Failed */
  failed: 3,
  /** Tripped */
  tripped: 4,
  /** Skipped */
  skipped: 5,
} as const

/** The codes of `scenario.op`. */
export const scenarioOp = {
  /** Create */
  create: 0,
  /** Update */
  update: 1,
  /** Delete */
  delete: 2,
} as const

/** The codes of `scenario.state`. */
export const scenarioState = {
  /** Open */
  open: 0,
  /** Merged */
  merged: 1,
  /** Dropped */
  dropped: 2,
} as const

/** The codes of `screen.moment`. */
export const screenMoment = {
  /** All */
  all: 0,
  /** Create */
  create: 1,
  /** Edit */
  edit: 2,
  /** View */
  view: 3,
  /** Transition */
  transition: 4,
  /** Portal */
  portal: 5,
  /** Quick add */
  quickAdd: 6,
} as const

/** The codes of `setting.scope`. */
export const settingScope = {
  /** Tenant */
  tenant: 0,
  /** Container */
  container: 1,
  /** User */
  user: 2,
  /** Operator */
  operator: 3,
} as const

/** The codes of `sku.kind`. */
export const skuKind = {
  /** Service */
  service: 0,
  /** Product */
  product: 1,
  /** Support plan */
  supportPlan: 2,
  /** Licence */
  licence: 3,
} as const

/** The codes of `statusCategory`. */
export const statusCategory = {
  /** Backlog */
  backlog: 0,
  /** Unstarted */
  unstarted: 1,
  /** Started */
  started: 2,
  /** Waiting */
  waiting: 3,
  /** Done */
  done: 4,
  /** Cancelled */
  cancelled: 5,
} as const

/** The codes of `storageMigration.state`. */
export const storageMigrationState = {
  /** Running */
  running: 0,
  /** Done */
  done: 1,
  /** Stopped */
  stopped: 2,
  /** Cancelled */
  cancelled: 3,
} as const

/** The codes of `tenant.status`. */
export const tenantStatus = {
  /** Active */
  active: 0,
  /** Suspended */
  suspended: 1,
  /** Closing */
  closing: 2,
} as const

/** The codes of `ticket.channel`. */
export const ticketChannel = {
  /** Mail */
  mail: 0,
  /** Portal */
  portal: 1,
  /** Phone */
  phone: 2,
  /** Chat */
  chat: 3,
  /** Api */
  api: 4,
  /** Social */
  social: 5,
} as const

/** The codes of `ticket.waitingOn`. */
export const ticketWaitingOn = {
  /** Ours */
  ours: 0,
  /** Requester */
  requester: 1,
  /** Third party */
  thirdParty: 2,
} as const

/** The codes of `time.billable`. */
export const timeBillable = {
  /** No */
  no: 0,
  /** Yes */
  yes: 1,
  /** As container */
  asContainer: 2,
} as const

/** The codes of `time.source`. */
export const timeSource = {
  /** Ui */
  ui: 0,
  /** Api */
  api: 1,
  /** Timer */
  timer: 8,
  /** Grid */
  grid: 9,
  /** Correction */
  correction: 10,
} as const

/** The codes of `time.state`. */
export const timeState = {
  /** Draft */
  draft: 0,
  /** Logged */
  logged: 1,
  /** Submitted */
  submitted: 2,
  /** Approved */
  approved: 3,
  /** Rejected */
  rejected: 4,
  /** Invoiced */
  invoiced: 5,
  /** Locked */
  locked: 6,
} as const

/** The codes of `timeCalendar.approval`. */
export const timeCalendarApproval = {
  /** None */
  none: 0,
  /** By person */
  person: 1,
  /** By project */
  project: 2,
  /** By person and project */
  both: 3,
} as const

/** The codes of `timeCalendar.kind`. */
export const timeCalendarKind = {
  /** Week */
  week: 0,
  /** Month */
  month: 1,
  /** Half month */
  halfMonth: 2,
  /** Custom */
  custom: 3,
} as const

/** The codes of `timesheet.state`. */
export const timesheetState = {
  /** Open */
  open: 0,
  /** Submitted */
  submitted: 1,
  /** Approved */
  approved: 2,
  /** Rejected */
  rejected: 3,
  /** Locked */
  locked: 4,
} as const

/** The codes of `trigger`. */
export const trigger = {
  /** When something happens */
  event: 0,
  /** At set times */
  schedule: 1,
  /** When a business clock reaches a threshold */
  clock: 2,
  /** When somebody asks for it */
  manual: 3,
  /** When a mail comes in */
  inboundMail: 4,
  /** When its address is called */
  inboundCall: 5,
  /** Some time before or after a date */
  dateField: 6,
  /** When nothing has changed for some time */
  inactivity: 7,
} as const

/** The codes of `triggerEvent`. */
export const triggerEvent = {
  /** Anything */
  any: 0,
  /** Item created */
  'item.created': 1,
  /** Item changed */
  'item.updated': 2,
  /** Item deleted */
  'item.deleted': 3,
  /** Item restored */
  'item.restored': 4,
  /** Item moved on in its workflow */
  'item.transitioned': 5,
  /** Item assigned */
  'item.assigned': 6,
  /** Item moved to another container */
  'item.moved': 7,
  /** Item closed */
  'item.closed': 8,
  /** Item reopened */
  'item.reopened': 9,
  /** Item linked */
  'item.linked': 10,
  /** Item unlinked */
  'item.unlinked': 11,
  /** Item labelled */
  'item.labelled': 12,
  /** Item merged */
  'item.merged': 13,
  /** Item split */
  'item.split': 14,
  /** Item due soon */
  'item.dueSoon': 15,
  /** Item overdue */
  'item.overdue': 16,
  /** Item blocked */
  'item.blocked': 17,
  /** Item no longer blocked */
  'item.unblocked': 18,
  /** All children of an item closed */
  'item.childrenClosed': 19,
  /** Internal note */
  'annotation.created': 20,
  /** Public reply by staff */
  'annotation.replied': 21,
  /** Reply by the requester */
  'annotation.requesterReplied': 22,
  /** Note or reply changed */
  'annotation.updated': 23,
  /** User mentioned */
  'user.mentioned': 24,
  /** Chat message */
  'chat.message': 25,
  /** Time booked */
  'time.created': 30,
  /** Booked time changed */
  'time.updated': 31,
  /** Booked time deleted */
  'time.deleted': 32,
  /** Timesheet submitted */
  'timesheet.submitted': 33,
  /** Timesheet approved */
  'timesheet.approved': 34,
  /** Timesheet rejected */
  'timesheet.rejected': 35,
  /** Timer started */
  'timer.started': 36,
  /** Timer stopped */
  'timer.stopped': 37,
  /** Timer overdue */
  'timer.overdue': 38,
  /** Timesheet due */
  'timesheet.due': 39,
  /** Clock started */
  'clock.started': 40,
  /** Clock paused */
  'clock.paused': 41,
  /** Clock resumed */
  'clock.resumed': 42,
  /** Clock turned amber */
  'clock.amber': 43,
  /** Clock turned red */
  'clock.red': 44,
  /** Target breached */
  'clock.breached': 45,
  /** Target met */
  'clock.met': 46,
  /** Clock cancelled */
  'clock.cancelled': 47,
  /** Timesheet reopened */
  'timesheet.reopened': 48,
  /** Timesheet locked */
  'timesheet.locked': 49,
  /** Mail received */
  'mail.received': 50,
  /** Mail sent */
  'mail.sent': 51,
  /** Mail bounced */
  'mail.bounced': 52,
  /** Mail suppressed */
  'mail.suppressed': 53,
  /** Cycle started */
  'cycle.started': 60,
  /** Cycle completed */
  'cycle.completed': 61,
  /** Card moved on a board */
  'board.cardMoved': 62,
  /** Plan changed */
  'plan.changed': 63,
  /** User planned beyond capacity */
  'plan.overallocated': 64,
  /** Leave requested */
  'leave.requested': 65,
  /** Leave decided */
  'leave.decided': 66,
  /** Scenario merged */
  'scenario.merged': 67,
  /** Document created */
  'document.created': 70,
  /** Document changed */
  'document.updated': 71,
  /** Document archived */
  'document.archived': 72,
  /** File uploaded */
  'file.uploaded': 73,
  /** File quarantined */
  'file.quarantined': 74,
  /** Customer created */
  'crm.created': 80,
  /** Customer changed */
  'crm.updated': 81,
  /** Budget crossed a threshold */
  'budget.thresholdCrossed': 82,
  /** Contract nearly used up */
  'contract.low': 83,
  /** Invoice approved */
  'invoice.approved': 84,
  /** Invoice issued */
  'invoice.issued': 85,
  /** Invoice credited */
  'invoice.credited': 86,
  /** User created */
  'user.created': 90,
  /** User deactivated */
  'user.deactivated': 91,
  /** User locked */
  'user.locked': 92,
  /** API key created */
  'apiKey.created': 93,
  /** API key about to expire */
  'apiKey.expiring': 94,
  /** Import finished */
  'import.finished': 95,
  /** Rule failed */
  'rule.failed': 96,
  /** Hook disabled */
  'hook.disabled': 97,
} as const

/** The codes of `undo.state`. */
export const undoState = {
  /** Running */
  running: 0,
  /** Done */
  done: 1,
  /** Refused */
  refused: 2,
  /** Failed */
  failed: 3,
} as const

/** The codes of `usage`. */
export const usage = {
  /** Items */
  item: 0,
  /** Tickets */
  ticket: 1,
  /** Booked time */
  time: 2,
  /** Containers */
  container: 3,
  /** Users */
  user: 4,
  /** Customers */
  crm: 5,
  /** Documents */
  document: 6,
  /** Planned work */
  plan: 7,
  /** Cycles */
  cycle: 8,
  /** Articles */
  sku: 9,
  /** Annotations */
  annotation: 10,
} as const

/** The codes of `user.kind`. */
export const userKind = {
  /** Staff */
  staff: 0,
  /** Requester */
  requester: 1,
  /** Service */
  service: 2,
  /** Placeholder */
  placeholder: 3,
  /** Agent */
  agent: 4,
} as const

/** The codes of `userGroup.assignPolicy`. */
export const userGroupAssignPolicy = {
  /** Manual */
  manual: 0,
  /** Round robin */
  roundRobin: 1,
  /** Least open */
  leastOpen: 2,
  /** Least remaining */
  leastRemaining: 3,
  /** On duty */
  onDuty: 4,
} as const

/** The codes of `userGroup.kind`. */
export const userGroupKind = {
  /** Security */
  security: 0,
  /** Team */
  team: 1,
  /** Queue */
  queue: 2,
  /** Distribution */
  distribution: 3,
} as const

/** The codes of `userGroup.source`. */
export const userGroupSource = {
  /** Local */
  local: 0,
  /** Entra */
  entra: 1,
  /** Scim */
  scim: 2,
  /** Ldap */
  ldap: 3,
} as const

/** The codes of `watch.level`. */
export const watchLevel = {
  /** All */
  all: 0,
  /** Comments */
  comments: 1,
  /** Status */
  status: 2,
  /** Muted */
  muted: 3,
} as const

/** The codes of `watch.reason`. */
export const watchReason = {
  /** Manual */
  manual: 0,
  /** Author */
  author: 1,
  /** Assignee */
  assignee: 2,
  /** Mentioned */
  mentioned: 3,
  /** Commented */
  commented: 4,
  /** Rule */
  rule: 5,
  /** Group */
  group: 6,
  /** Cc */
  cc: 7,
} as const
