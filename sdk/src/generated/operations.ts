// Generated from the routes of the service by `npm run sdk`. Changes here are lost.

import type { Filters, ListQuery, Operation, RawBody } from '../operation.ts'
import type {
  AccessControl,
  AccessExplanation,
  AccessRole,
  Annotation,
  AnnotationDraft,
  ApiKey,
  AppSetting,
  ApplyConfig,
  Approval,
  ApproveItem,
  ApproveTimeSheet,
  Area,
  ArticleSuggestions,
  ArticleUsage,
  AssignNextTicket,
  AuditEntry,
  AuditInsightReport,
  AuditRow,
  BacklogAgeInsightReport,
  BacklogAgeRow,
  Baseline,
  BaselineComparison,
  BatchReply,
  BegunVisitorChat,
  Board,
  BoardCards,
  BrokenGlass,
  Budget,
  BudgetBalance,
  BudgetEntry,
  BudgetInsightReport,
  BudgetReason,
  BudgetRow,
  BulkAnnotation,
  BulkAnnotationChange,
  BulkAnnotationDeletion,
  BulkChangeOutcome,
  BulkContainer,
  BulkContainerChange,
  BulkContainerDeletion,
  BulkItem,
  BulkLabel,
  BulkLabelChange,
  BulkLabelDeletion,
  BulkLink,
  BulkLinkChange,
  BulkLinkDeletion,
  BulkOutcome,
  BulkRecordOutcome,
  BulkTime,
  BulkTimeChange,
  BulkTimeDeletion,
  BulkTimeOutcome,
  BulkTimeSheet,
  BulkUser,
  BulkUserChange,
  BulkUserDeletion,
  BurnInsightReport,
  BurnRow,
  CalcClock,
  CalendarFeed,
  Change,
  ChangedField,
  ChangedGuestTicket,
  ChatMarker,
  ChatMessage,
  ChatRoom,
  ChecklistEntry,
  ChecklistMarkdownItem,
  Clock,
  ClockDuty,
  ClockPreview,
  ClockRecalculation,
  CloseDuplicatesItem,
  CompareItem,
  Configuration,
  ConfigurationApplied,
  ConfigurationPlan,
  Consent,
  Constraint,
  ConstraintTrial,
  Container,
  ContainerFilter,
  ContainerMember,
  ContentTemplate,
  Contract,
  ContractBalance,
  ConvertItem,
  CopiedContainer,
  CopyContainer,
  CopyDocsDoc,
  CopyItem,
  CorrectTime,
  CorrectionEntries,
  CostCenter,
  CostCenterSummary,
  CostCentersInsightReport,
  CostCentersRow,
  CountQuery,
  CreateItemsItemTemplate,
  CreatedTree,
  CreditFinanceInvoice,
  Crm,
  CrmSummary,
  CumulativeFlowInsightReport,
  CumulativeFlowRow,
  Cycle,
  CycleBurndown,
  CycleCapacity,
  CycleTimeRow,
  DayCapacity,
  Deactivated,
  DeletedItems,
  Delivery,
  Document,
  DocumentComment,
  DocumentContent,
  DocumentDiff,
  DocumentLink,
  DocumentVersion,
  DocumentVersionText,
  DraftFinanceInvoice,
  DryRunConstraint,
  DryRunRule,
  EntityDescription,
  EntraMeta,
  Event,
  Field,
  File,
  FileUpload,
  FiledVisitorTicket,
  FinishCycle,
  FinishedCycle,
  FirstResponseInsightReport,
  FirstResponseRow,
  Folder,
  FreeUser,
  FreshApiKey,
  FreshCalendarFeed,
  FreshOAuthClient,
  Group,
  GuestLink,
  GuestTicket,
  Hit,
  Hook,
  InboxArchiveNotification,
  InboxEntry,
  InboxReadNotification,
  InboxSnoozeNotification,
  Invitation,
  Invoice,
  InvoiceDraft,
  InvoiceSeries,
  Item,
  ItemClock,
  ItemClockExplained,
  ItemComparison,
  ItemCounts,
  ItemRecurrence,
  ItemTemplate,
  ItemWithTime,
  ItemsCycle,
  JobRole,
  KnowledgeInsightReport,
  KnowledgeRow,
  Label,
  LeadTimeInsightReport,
  LeadTimeRow,
  Leave,
  LeaveAllowance,
  LeaveBalance,
  LeftVisitorChat,
  Link,
  LinkGroup,
  LinkType,
  ListedChange,
  ListedChatRoom,
  ListedItem,
  ListedTicket,
  LoadRow,
  MailGeneral,
  MailMessage,
  MailSuppression,
  Mailbox,
  MarkFinanceInvoice,
  MeSecondFactorRecoveryCodesUser,
  MergePlanScenario,
  MergedScenario,
  MoveBoard,
  MoveItem,
  MoveManyItem,
  MovedCard,
  MovedItems,
  Multiplier,
  MyConfig,
  MyWork,
  NewAccessControl,
  NewAccessRole,
  NewAnnotation,
  NewAppSetting,
  NewApproval,
  NewArea,
  NewBaseline,
  NewBatchReply,
  NewBegunVisitorChat,
  NewBoard,
  NewBudget,
  NewBudgetEntry,
  NewBudgetReason,
  NewChatMessage,
  NewChatRoom,
  NewChecklistEntry,
  NewClock,
  NewConstraint,
  NewContainer,
  NewContainerFilter,
  NewContentTemplate,
  NewContract,
  NewCostCenter,
  NewCrm,
  NewCycle,
  NewDocument,
  NewEntraMeta,
  NewField,
  NewFile,
  NewFolder,
  NewFreshApiKey,
  NewFreshOAuthClient,
  NewHook,
  NewInvoice,
  NewInvoiceSeries,
  NewItemTemplate,
  NewItemWithTime,
  NewJobRole,
  NewLabel,
  NewLeave,
  NewLeaveAllowance,
  NewLink,
  NewLinkType,
  NewMailSuppression,
  NewMailbox,
  NewMultiplier,
  NewNonBillable,
  NewNotification,
  NewOutboundStorage,
  NewPasskey,
  NewPlan,
  NewProcess,
  NewQueryResult,
  NewRate,
  NewRule,
  NewRuleDryRun,
  NewSavedReport,
  NewScenarioChange,
  NewScreen,
  NewSku,
  NewTenant,
  NewTicket,
  NewTimeCalendar,
  NewTimeDelegation,
  NewTimeOrEntries,
  NewUser,
  NewUserGroup,
  NewWatch,
  Noise,
  NonBillable,
  NoteTicket,
  Notification,
  NotificationPreference,
  NotificationPreview,
  NotificationRun,
  OAuthClient,
  OpenedItem,
  OutboundMail,
  OutboundStorage,
  OwnWatch,
  Passkey,
  PasskeyOptions,
  Plan,
  PlanVersusActualInsightReport,
  PlanVersusActualRow,
  PlannedItems,
  PortalArticle,
  PortalFront,
  Portfolio,
  Presence,
  PreviewContentTemplate,
  PreviewDraftNotification,
  Process,
  ProfitabilityRow,
  PseudoGroup,
  PutAccessControlRole,
  PutAdminApiKey,
  PutAdminSetting,
  PutAnnotation,
  PutArea,
  PutBoard,
  PutChatMessage,
  PutChecklistEntry,
  PutClock,
  PutConstraint,
  PutContainer,
  PutContainerFilter,
  PutContentTemplate,
  PutCycle,
  PutDocsContent,
  PutDocsDoc,
  PutDocsFolder,
  PutEntraMeta,
  PutField,
  PutFile,
  PutFinanceBudget,
  PutFinanceBudgetEntry,
  PutFinanceBudgetReason,
  PutFinanceContract,
  PutFinanceCostCenter,
  PutFinanceCrm,
  PutFinanceInvoice,
  PutFinanceInvoiceSeries,
  PutFinanceJobRole,
  PutFinanceMultiplier,
  PutFinanceNonBillable,
  PutFinanceRate,
  PutFinanceSku,
  PutHook,
  PutInsightSaved,
  PutItem,
  PutItemTemplate,
  PutLabel,
  PutLink,
  PutLinkType,
  PutMailGeneral,
  PutMailMailbox,
  PutMailSuppression,
  PutNotification,
  PutOauthClient,
  PutOutboundStorage,
  PutPlan,
  PutPlanBaseline,
  PutProcess,
  PutRule,
  PutScreen,
  PutTenant,
  PutTicket,
  PutTime,
  PutTimeCalendar,
  PutTimeDelegation,
  PutTimeLeave,
  PutTimeLeaveAllowance,
  PutUser,
  PutUser2,
  PutUserGroup,
  QueryResult,
  Rate,
  ReadingDocsArticle,
  RealisationInsightReport,
  RealisationRow,
  RecoveryCodes,
  RedeliverHook,
  RegisteredSetting,
  RemovedSample,
  RenderContentTemplate,
  RenderedTemplate,
  ReplyTicket,
  RepriceTime,
  Repriced,
  RequestType,
  ResolvedScreen,
  Rule,
  RuleDryRun,
  RuleDryRunResult,
  RuleLogEntry,
  RuleRehearsal,
  RuleRun,
  RuleSecret,
  Sample,
  SatisfactionRow,
  SavedReport,
  Scenario,
  ScenarioChange,
  ScenarioComparison,
  Schedule,
  SchedulePlan,
  Screen,
  SearchItem,
  SecondFactor,
  SecondFactorEnrolment,
  SessionState,
  SetContainerMember,
  SetDraftItem,
  SetPreferenceNotification,
  SetRecurrenceItem,
  SetWatchItem,
  SetWeekTime,
  SimilarItem,
  SimilarItem2,
  Sku,
  SlaAttainmentInsightReport,
  SlaAttainmentRow,
  SplitItem,
  SplitItem2,
  SplitTicket,
  StorageMigration,
  StorageUsage,
  SuggestDocsArticle,
  TeamTimesheetInsightReport,
  TeamTimesheetRow,
  TemplateItem,
  Tenant,
  Ticket,
  TicketPortal,
  Time,
  TimeBalance,
  TimeCalendar,
  TimeClosing,
  TimeDelegation,
  TimeInStatusInsightReport,
  TimeInStatusRow,
  TimeOrEntries,
  TimeWeek,
  TimelineEntry,
  Timer,
  TimerStopTime,
  Timesheet,
  TimesheetOutcome,
  TimesheetRow,
  ToItemChatMessage,
  Transition,
  Undone,
  UpdateManyAnnotation,
  UpdateManyContainer,
  UpdateManyItem,
  UpdateManyLabel,
  UpdateManyLink,
  UpdateManyTime,
  UpdateManyUser,
  UpdateTimerTime,
  User,
  UserAssignments,
  UserGroup,
  UserIdentity,
  UserRate,
  UserSession,
  UtilisationInsightReport,
  UtilisationRow,
  Velocity,
  VisitorChat,
  VisitorMessage,
  Watch,
  Watcher,
  WorkloadRow,
} from './types.ts'

/** Every operation of the service: its path parameters, query, body and answer. */
export interface Operations {
  'GET /tenant': Operation<Record<never, never>, Record<never, never>, undefined, Tenant>
  'PUT /tenant': Operation<Record<never, never>, Record<never, never>, PutTenant, Tenant>
  'PATCH /tenant': Operation<Record<never, never>, Record<never, never>, PutTenant, Tenant>
  'POST /tenant': Operation<Record<never, never>, Record<never, never>, NewTenant, { tenant: Tenant; userId: string; email: string; password: string; RawKey: string }>
  'GET /tenant/all': Operation<Record<never, never>, Record<never, never>, undefined, { id: string; name: string; slug: string; region: string; status: number; quotas: Record<string, unknown>; operating: boolean; created: string }[]>
  'GET /tenant/erased': Operation<Record<never, never>, Record<never, never>, undefined, { id: string; name: string; slug: string; closed: string; erased: string; rows: Record<string, unknown>; files: number; digest: string }[]>
  'GET /tenant/usage': Operation<Record<never, never>, Record<never, never>, undefined, { users: number; apiKeys: number; storageBytes: number; items: number; events: number; estimated: string[]; quotas: Record<string, unknown> }>
  'GET /tenant/export': Operation<Record<never, never>, { files?: boolean | undefined }, undefined, unknown>
  'POST /tenant/import': Operation<Record<never, never>, { slug: string; email: string; name?: string | undefined; suspended?: boolean | undefined }, RawBody, { tenantId: string; rows: Record<string, unknown>; files: number; hash: string; freshIds: boolean; suspended: boolean; setAnew: { ownerId?: string | undefined; name?: string | undefined }[]; userId: string; email: string; password: string; RawKey: string }>
  'GET /tenant/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Tenant>
  'PUT /tenant/{id}': Operation<{ id: string }, Record<never, never>, PutTenant, Tenant>
  'PATCH /tenant/{id}': Operation<{ id: string }, Record<never, never>, PutTenant, Tenant>
  'DELETE /tenant/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /tenant/{id}/suspend': Operation<{ id: string }, Record<never, never>, undefined, Tenant>
  'POST /tenant/{id}/activate': Operation<{ id: string }, Record<never, never>, undefined, Tenant>
  'GET /tenant/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /tenant/sample': Operation<Record<never, never>, Record<never, never>, undefined, Sample>
  'POST /tenant/sample': Operation<Record<never, never>, { language?: "en" | "de" | undefined }, undefined, Sample>
  'DELETE /tenant/sample': Operation<Record<never, never>, Record<never, never>, undefined, RemovedSample>
  'GET /user': Operation<Record<never, never>, ListQuery & Filters, undefined, User[]>
  'POST /user': Operation<Record<never, never>, Record<never, never>, NewUser, User>
  'PUT /user': Operation<Record<never, never>, Record<never, never>, PutUser, User>
  'PATCH /user': Operation<Record<never, never>, Record<never, never>, UpdateManyUser, BulkUserChange[]>
  'DELETE /user': Operation<Record<never, never>, { ids: string; atomic?: boolean | undefined }, undefined, BulkUserDeletion[]>
  'GET /user/me': Operation<Record<never, never>, Record<never, never>, undefined, User>
  'PUT /user/me': Operation<Record<never, never>, Record<never, never>, PutUser2, User>
  'PATCH /user/me': Operation<Record<never, never>, Record<never, never>, PutUser2, User>
  'GET /user/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, User>
  'PUT /user/{id}': Operation<{ id: string }, Record<never, never>, PutUser, User>
  'PATCH /user/{id}': Operation<{ id: string }, Record<never, never>, PutUser, User>
  'DELETE /user/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /user/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, User>
  'GET /user/{id}/export': Operation<{ id: string }, { files?: boolean | undefined }, undefined, unknown>
  'GET /user/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /user/{id}/rate': Operation<{ id: string }, { at?: string | undefined }, undefined, UserRate>
  'POST /user/{id}/password': Operation<{ id: string }, Record<never, never>, { current?: string | undefined; password: string }, undefined>
  'POST /user/me/second-factor': Operation<Record<never, never>, Record<never, never>, { password: string }, SecondFactorEnrolment>
  'GET /user/me/second-factor': Operation<Record<never, never>, Record<never, never>, undefined, SecondFactor>
  'POST /user/me/second-factor/confirm': Operation<Record<never, never>, Record<never, never>, { code: string }, RecoveryCodes>
  'POST /user/me/second-factor/recovery-codes': Operation<Record<never, never>, Record<never, never>, MeSecondFactorRecoveryCodesUser, RecoveryCodes>
  'POST /user/me/second-factor/remove': Operation<Record<never, never>, Record<never, never>, MeSecondFactorRecoveryCodesUser, undefined>
  'GET /user/me/passkey': Operation<Record<never, never>, Record<never, never>, undefined, Passkey[]>
  'POST /user/me/passkey': Operation<Record<never, never>, Record<never, never>, NewPasskey, Passkey>
  'POST /user/me/passkey/options': Operation<Record<never, never>, Record<never, never>, { password?: string | undefined }, PasskeyOptions>
  'DELETE /user/me/passkey/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'GET /user/{id}/second-factor': Operation<{ id: string }, Record<never, never>, undefined, SecondFactor>
  'DELETE /user/{id}/second-factor': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'GET /session/all': Operation<Record<never, never>, Record<never, never>, undefined, UserSession[]>
  'DELETE /session/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'GET /user/{id}/session': Operation<{ id: string }, Record<never, never>, undefined, UserSession[]>
  'DELETE /user/{id}/session': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'DELETE /user/{id}/session/{sessionId}': Operation<{ id: string; sessionId: string }, Record<never, never>, undefined, undefined>
  'GET /user/{id}/consent': Operation<{ id: string }, Record<never, never>, undefined, Consent[]>
  'DELETE /user/{id}/consent/{consentId}': Operation<{ id: string; consentId: string }, Record<never, never>, undefined, undefined>
  'GET /user/me/calendar-feed': Operation<Record<never, never>, Record<never, never>, undefined, CalendarFeed[]>
  'POST /user/me/calendar-feed': Operation<Record<never, never>, Record<never, never>, { name: string }, FreshCalendarFeed>
  'DELETE /user/me/calendar-feed/{feedId}': Operation<{ feedId: string }, Record<never, never>, undefined, undefined>
  'POST /user/{id}/invite': Operation<{ id: string }, Record<never, never>, undefined, Invitation>
  'POST /user/{id}/reactivate': Operation<{ id: string }, Record<never, never>, undefined, User>
  'GET /user-group': Operation<Record<never, never>, ListQuery & Filters, undefined, UserGroup[]>
  'POST /user-group': Operation<Record<never, never>, Record<never, never>, NewUserGroup, UserGroup>
  'PUT /user-group': Operation<Record<never, never>, Record<never, never>, PutUserGroup, UserGroup>
  'GET /user-group/pseudo': Operation<Record<never, never>, Record<never, never>, undefined, PseudoGroup[]>
  'GET /user-group/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, UserGroup>
  'PUT /user-group/{id}': Operation<{ id: string }, Record<never, never>, PutUserGroup, UserGroup>
  'PATCH /user-group/{id}': Operation<{ id: string }, Record<never, never>, PutUserGroup, UserGroup>
  'DELETE /user-group/{id}': Operation<{ id: string }, { replaceBy?: string | undefined }, undefined, undefined>
  'POST /user-group/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, UserGroup>
  'GET /user-group/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /user-group/{id}/members': Operation<{ id: string }, ListQuery & { nested?: boolean | undefined } & Filters, undefined, User[]>
  'GET /access-control': Operation<Record<never, never>, ListQuery & Filters, undefined, AccessControl[]>
  'POST /access-control': Operation<Record<never, never>, Record<never, never>, NewAccessControl, AccessControl>
  'PUT /access-control': Operation<Record<never, never>, Record<never, never>, NewAccessControl, AccessControl>
  'GET /access-control/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, AccessControl>
  'PUT /access-control/{id}': Operation<{ id: string }, Record<never, never>, NewAccessControl, AccessControl>
  'PATCH /access-control/{id}': Operation<{ id: string }, Record<never, never>, NewAccessControl, AccessControl>
  'DELETE /access-control/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /access-control/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, AccessControl>
  'GET /access-control/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /access-control/{id}/check': Operation<{ id: string }, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'GET /access-control/role': Operation<Record<never, never>, ListQuery & Filters, undefined, AccessRole[]>
  'POST /access-control/role': Operation<Record<never, never>, Record<never, never>, NewAccessRole, AccessRole>
  'PUT /access-control/role': Operation<Record<never, never>, Record<never, never>, PutAccessControlRole, AccessRole>
  'GET /access-control/role/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, AccessRole>
  'PUT /access-control/role/{id}': Operation<{ id: string }, Record<never, never>, PutAccessControlRole, AccessRole>
  'PATCH /access-control/role/{id}': Operation<{ id: string }, Record<never, never>, PutAccessControlRole, AccessRole>
  'DELETE /access-control/role/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /access-control/role/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, AccessRole>
  'GET /access-control/role/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /access-control/role/{id}/check': Operation<{ id: string }, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'GET /access-control/explain': Operation<Record<never, never>, { user?: string | undefined; action?: string | undefined; entity?: string | undefined; id?: string | undefined; userId?: string | undefined }, undefined, AccessExplanation>
  'GET /admin/api-key': Operation<Record<never, never>, ListQuery & Filters, undefined, ApiKey[]>
  'POST /admin/api-key': Operation<Record<never, never>, Record<never, never>, NewFreshApiKey, FreshApiKey>
  'PUT /admin/api-key': Operation<Record<never, never>, Record<never, never>, PutAdminApiKey, ApiKey>
  'GET /admin/api-key/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, ApiKey>
  'PUT /admin/api-key/{id}': Operation<{ id: string }, Record<never, never>, PutAdminApiKey, ApiKey>
  'PATCH /admin/api-key/{id}': Operation<{ id: string }, Record<never, never>, PutAdminApiKey, ApiKey>
  'DELETE /admin/api-key/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'GET /admin/api-key/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /oauth-client': Operation<Record<never, never>, ListQuery & Filters, undefined, OAuthClient[]>
  'POST /oauth-client': Operation<Record<never, never>, Record<never, never>, NewFreshOAuthClient, FreshOAuthClient>
  'PUT /oauth-client': Operation<Record<never, never>, Record<never, never>, PutOauthClient, OAuthClient>
  'GET /oauth-client/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, OAuthClient>
  'PUT /oauth-client/{id}': Operation<{ id: string }, Record<never, never>, PutOauthClient, OAuthClient>
  'PATCH /oauth-client/{id}': Operation<{ id: string }, Record<never, never>, PutOauthClient, OAuthClient>
  'DELETE /oauth-client/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /oauth-client/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, OAuthClient>
  'POST /oauth-client/{id}/secret': Operation<{ id: string }, Record<never, never>, { graceMinutes?: number | undefined }, FreshOAuthClient>
  'GET /oauth-client/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /admin/setting': Operation<Record<never, never>, ListQuery & Filters, undefined, AppSetting[]>
  'POST /admin/setting': Operation<Record<never, never>, Record<never, never>, NewAppSetting, AppSetting>
  'PUT /admin/setting': Operation<Record<never, never>, Record<never, never>, PutAdminSetting, AppSetting>
  'GET /admin/setting/effective': Operation<Record<never, never>, { key?: string | undefined; userId?: string | undefined; containerId?: string | undefined; containerIds?: string | undefined; container?: string | undefined; user?: string | undefined }, undefined, unknown>
  'GET /admin/setting/registry': Operation<Record<never, never>, Record<never, never>, undefined, RegisteredSetting[]>
  'GET /admin/setting/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, AppSetting>
  'PUT /admin/setting/{id}': Operation<{ id: string }, Record<never, never>, PutAdminSetting, AppSetting>
  'PATCH /admin/setting/{id}': Operation<{ id: string }, Record<never, never>, PutAdminSetting, AppSetting>
  'DELETE /admin/setting/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /admin/setting/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, AppSetting>
  'GET /admin/setting/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /admin/setting/{id}/check': Operation<{ id: string }, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'POST /admin/setting/{id}/revert': Operation<{ id: string }, Record<never, never>, { version: number }, AppSetting>
  'GET /audit': Operation<Record<never, never>, ListQuery & Filters, undefined, AuditEntry[]>
  'GET /audit/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, AuditEntry>
  'GET /entra-meta': Operation<Record<never, never>, ListQuery & Filters, undefined, EntraMeta[]>
  'POST /entra-meta': Operation<Record<never, never>, Record<never, never>, NewEntraMeta, EntraMeta>
  'PUT /entra-meta': Operation<Record<never, never>, Record<never, never>, PutEntraMeta, EntraMeta>
  'GET /entra-meta/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, EntraMeta>
  'PUT /entra-meta/{id}': Operation<{ id: string }, Record<never, never>, PutEntraMeta, EntraMeta>
  'PATCH /entra-meta/{id}': Operation<{ id: string }, Record<never, never>, PutEntraMeta, EntraMeta>
  'DELETE /entra-meta/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /entra-meta/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, EntraMeta>
  'GET /entra-meta/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /entra-meta/{id}/check': Operation<{ id: string }, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'POST /entra-meta/{id}/test': Operation<{ id: string }, Record<never, never>, undefined, { ok: boolean; issuer: string; redirectPath: string; findings: { path: string; code: string; message: string }[] }>
  'POST /user/me/identity/start': Operation<Record<never, never>, Record<never, never>, { entraMetaId: string }, { path: string; expiresAt: string }>
  'GET /user-identity': Operation<Record<never, never>, ListQuery & Filters, undefined, UserIdentity[]>
  'POST /user-identity': Operation<Record<never, never>, Record<never, never>, { userId: string; issuer: string; subject: string }, UserIdentity>
  'GET /user-identity/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, UserIdentity>
  'DELETE /user-identity/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'GET /user-identity/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'PUT /user/{id}/identity': Operation<{ id: string }, Record<never, never>, { issuer: string; subject: string }, UserIdentity>
  'GET /finance/rate': Operation<Record<never, never>, ListQuery & Filters, undefined, Rate[]>
  'POST /finance/rate': Operation<Record<never, never>, Record<never, never>, NewRate, Rate>
  'PUT /finance/rate': Operation<Record<never, never>, Record<never, never>, PutFinanceRate, Rate>
  'GET /finance/rate/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Rate>
  'PUT /finance/rate/{id}': Operation<{ id: string }, Record<never, never>, PutFinanceRate, Rate>
  'PATCH /finance/rate/{id}': Operation<{ id: string }, Record<never, never>, PutFinanceRate, Rate>
  'DELETE /finance/rate/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /finance/rate/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, Rate>
  'GET /finance/rate/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /finance/crm': Operation<Record<never, never>, ListQuery & Filters, undefined, Crm[]>
  'POST /finance/crm': Operation<Record<never, never>, Record<never, never>, NewCrm, Crm>
  'PUT /finance/crm': Operation<Record<never, never>, Record<never, never>, PutFinanceCrm, Crm>
  'GET /finance/crm/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Crm>
  'PUT /finance/crm/{id}': Operation<{ id: string }, Record<never, never>, PutFinanceCrm, Crm>
  'PATCH /finance/crm/{id}': Operation<{ id: string }, Record<never, never>, PutFinanceCrm, Crm>
  'DELETE /finance/crm/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /finance/crm/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, Crm>
  'GET /finance/crm/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /finance/crm/{id}/check': Operation<{ id: string }, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'GET /finance/crm/{id}/summary': Operation<{ id: string }, { from?: string | undefined; to?: string | undefined }, undefined, CrmSummary>
  'POST /finance/crm/{id}/merge': Operation<{ id: string }, Record<never, never>, { into: string }, Crm>
  'GET /finance/budget': Operation<Record<never, never>, ListQuery & Filters, undefined, Budget[]>
  'POST /finance/budget': Operation<Record<never, never>, Record<never, never>, NewBudget, Budget>
  'PUT /finance/budget': Operation<Record<never, never>, Record<never, never>, PutFinanceBudget, Budget>
  'GET /finance/budget/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Budget>
  'PUT /finance/budget/{id}': Operation<{ id: string }, Record<never, never>, PutFinanceBudget, Budget>
  'PATCH /finance/budget/{id}': Operation<{ id: string }, Record<never, never>, PutFinanceBudget, Budget>
  'DELETE /finance/budget/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /finance/budget/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, Budget>
  'GET /finance/budget/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /finance/budget/{id}/check': Operation<{ id: string }, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'GET /finance/budget/{budgetId}/entry': Operation<{ budgetId: string }, ListQuery & Filters, undefined, BudgetEntry[]>
  'POST /finance/budget/{budgetId}/entry': Operation<{ budgetId: string }, Record<never, never>, NewBudgetEntry, BudgetEntry>
  'GET /finance/budget/{budgetId}/entry/{entryId}': Operation<{ budgetId: string; entryId: string }, { deleted?: "include" | undefined }, undefined, BudgetEntry>
  'PUT /finance/budget/{budgetId}/entry/{entryId}': Operation<{ budgetId: string; entryId: string }, Record<never, never>, PutFinanceBudgetEntry, BudgetEntry>
  'PATCH /finance/budget/{budgetId}/entry/{entryId}': Operation<{ budgetId: string; entryId: string }, Record<never, never>, PutFinanceBudgetEntry, BudgetEntry>
  'DELETE /finance/budget/{budgetId}/entry/{entryId}': Operation<{ budgetId: string; entryId: string }, Record<never, never>, undefined, undefined>
  'POST /finance/budget/{budgetId}/entry/{entryId}/restore': Operation<{ budgetId: string; entryId: string }, Record<never, never>, undefined, BudgetEntry>
  'GET /finance/budget/{budgetId}/entry/{entryId}/history': Operation<{ budgetId: string; entryId: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'POST /finance/budget/{budgetId}/entry/{entryId}/approve': Operation<{ budgetId: string; entryId: string }, Record<never, never>, { comment?: string | undefined }, BudgetEntry>
  'POST /finance/budget/{budgetId}/entry/{entryId}/reject': Operation<{ budgetId: string; entryId: string }, Record<never, never>, { comment?: string | undefined }, BudgetEntry>
  'GET /finance/budget/{id}/balance': Operation<{ id: string }, { at?: string | undefined; scenario?: string | undefined }, undefined, BudgetBalance>
  'GET /finance/contract': Operation<Record<never, never>, ListQuery & Filters, undefined, Contract[]>
  'POST /finance/contract': Operation<Record<never, never>, Record<never, never>, NewContract, Contract>
  'PUT /finance/contract': Operation<Record<never, never>, Record<never, never>, PutFinanceContract, Contract>
  'GET /finance/contract/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Contract>
  'PUT /finance/contract/{id}': Operation<{ id: string }, Record<never, never>, PutFinanceContract, Contract>
  'PATCH /finance/contract/{id}': Operation<{ id: string }, Record<never, never>, PutFinanceContract, Contract>
  'DELETE /finance/contract/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /finance/contract/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, Contract>
  'GET /finance/contract/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /finance/contract/{id}/check': Operation<{ id: string }, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'GET /finance/contract/{id}/balance': Operation<{ id: string }, { at?: string | undefined }, undefined, ContractBalance>
  'GET /finance/invoice-series': Operation<Record<never, never>, ListQuery & Filters, undefined, InvoiceSeries[]>
  'POST /finance/invoice-series': Operation<Record<never, never>, Record<never, never>, NewInvoiceSeries, InvoiceSeries>
  'PUT /finance/invoice-series': Operation<Record<never, never>, Record<never, never>, PutFinanceInvoiceSeries, InvoiceSeries>
  'GET /finance/invoice-series/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, InvoiceSeries>
  'PUT /finance/invoice-series/{id}': Operation<{ id: string }, Record<never, never>, PutFinanceInvoiceSeries, InvoiceSeries>
  'PATCH /finance/invoice-series/{id}': Operation<{ id: string }, Record<never, never>, PutFinanceInvoiceSeries, InvoiceSeries>
  'DELETE /finance/invoice-series/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /finance/invoice-series/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, InvoiceSeries>
  'GET /finance/invoice-series/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'POST /finance/invoice/draft': Operation<Record<never, never>, Record<never, never>, DraftFinanceInvoice, InvoiceDraft>
  'GET /finance/invoice': Operation<Record<never, never>, ListQuery & Filters, undefined, Invoice[]>
  'POST /finance/invoice': Operation<Record<never, never>, Record<never, never>, NewInvoice, Invoice>
  'PUT /finance/invoice': Operation<Record<never, never>, Record<never, never>, PutFinanceInvoice, Invoice>
  'GET /finance/invoice/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Invoice>
  'PUT /finance/invoice/{id}': Operation<{ id: string }, Record<never, never>, PutFinanceInvoice, Invoice>
  'PATCH /finance/invoice/{id}': Operation<{ id: string }, Record<never, never>, PutFinanceInvoice, Invoice>
  'DELETE /finance/invoice/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /finance/invoice/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, Invoice>
  'GET /finance/invoice/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'POST /finance/invoice/{id}/approve': Operation<{ id: string }, Record<never, never>, undefined, Invoice>
  'POST /finance/invoice/{id}/withdraw': Operation<{ id: string }, Record<never, never>, undefined, Invoice>
  'POST /finance/invoice/{id}/issue': Operation<{ id: string }, Record<never, never>, { date?: string | undefined }, Invoice>
  'POST /finance/invoice/{id}/cancel': Operation<{ id: string }, Record<never, never>, undefined, Invoice>
  'POST /finance/invoice/{id}/mark': Operation<{ id: string }, Record<never, never>, MarkFinanceInvoice, Invoice>
  'POST /finance/invoice/{id}/credit': Operation<{ id: string }, Record<never, never>, CreditFinanceInvoice, Invoice>
  'GET /finance/invoice/{id}/export': Operation<{ id: string }, { format?: "csv" | "json" | "ubl" | undefined }, undefined, unknown>
  'GET /finance/non-billable': Operation<Record<never, never>, ListQuery & Filters, undefined, NonBillable[]>
  'POST /finance/non-billable': Operation<Record<never, never>, Record<never, never>, NewNonBillable, NonBillable>
  'PUT /finance/non-billable': Operation<Record<never, never>, Record<never, never>, PutFinanceNonBillable, NonBillable>
  'GET /finance/non-billable/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, NonBillable>
  'PUT /finance/non-billable/{id}': Operation<{ id: string }, Record<never, never>, PutFinanceNonBillable, NonBillable>
  'PATCH /finance/non-billable/{id}': Operation<{ id: string }, Record<never, never>, PutFinanceNonBillable, NonBillable>
  'DELETE /finance/non-billable/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /finance/non-billable/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, NonBillable>
  'GET /finance/non-billable/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /finance/job-role': Operation<Record<never, never>, ListQuery & Filters, undefined, JobRole[]>
  'POST /finance/job-role': Operation<Record<never, never>, Record<never, never>, NewJobRole, JobRole>
  'PUT /finance/job-role': Operation<Record<never, never>, Record<never, never>, PutFinanceJobRole, JobRole>
  'GET /finance/job-role/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, JobRole>
  'PUT /finance/job-role/{id}': Operation<{ id: string }, Record<never, never>, PutFinanceJobRole, JobRole>
  'PATCH /finance/job-role/{id}': Operation<{ id: string }, Record<never, never>, PutFinanceJobRole, JobRole>
  'DELETE /finance/job-role/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /finance/job-role/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, JobRole>
  'GET /finance/job-role/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /finance/cost-center': Operation<Record<never, never>, ListQuery & Filters, undefined, CostCenter[]>
  'POST /finance/cost-center': Operation<Record<never, never>, Record<never, never>, NewCostCenter, CostCenter>
  'PUT /finance/cost-center': Operation<Record<never, never>, Record<never, never>, PutFinanceCostCenter, CostCenter>
  'GET /finance/cost-center/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, CostCenter>
  'PUT /finance/cost-center/{id}': Operation<{ id: string }, Record<never, never>, PutFinanceCostCenter, CostCenter>
  'PATCH /finance/cost-center/{id}': Operation<{ id: string }, Record<never, never>, PutFinanceCostCenter, CostCenter>
  'DELETE /finance/cost-center/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /finance/cost-center/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, CostCenter>
  'GET /finance/cost-center/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /finance/cost-center/{id}/check': Operation<{ id: string }, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'GET /finance/cost-center/{id}/summary': Operation<{ id: string }, { from?: string | undefined; to?: string | undefined }, undefined, CostCenterSummary>
  'GET /finance/multiplier': Operation<Record<never, never>, ListQuery & Filters, undefined, Multiplier[]>
  'POST /finance/multiplier': Operation<Record<never, never>, Record<never, never>, NewMultiplier, Multiplier>
  'PUT /finance/multiplier': Operation<Record<never, never>, Record<never, never>, PutFinanceMultiplier, Multiplier>
  'GET /finance/multiplier/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Multiplier>
  'PUT /finance/multiplier/{id}': Operation<{ id: string }, Record<never, never>, PutFinanceMultiplier, Multiplier>
  'PATCH /finance/multiplier/{id}': Operation<{ id: string }, Record<never, never>, PutFinanceMultiplier, Multiplier>
  'DELETE /finance/multiplier/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /finance/multiplier/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, Multiplier>
  'GET /finance/multiplier/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /finance/budget-reason': Operation<Record<never, never>, ListQuery & Filters, undefined, BudgetReason[]>
  'POST /finance/budget-reason': Operation<Record<never, never>, Record<never, never>, NewBudgetReason, BudgetReason>
  'PUT /finance/budget-reason': Operation<Record<never, never>, Record<never, never>, PutFinanceBudgetReason, BudgetReason>
  'GET /finance/budget-reason/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, BudgetReason>
  'PUT /finance/budget-reason/{id}': Operation<{ id: string }, Record<never, never>, PutFinanceBudgetReason, BudgetReason>
  'PATCH /finance/budget-reason/{id}': Operation<{ id: string }, Record<never, never>, PutFinanceBudgetReason, BudgetReason>
  'DELETE /finance/budget-reason/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /finance/budget-reason/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, BudgetReason>
  'GET /finance/budget-reason/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /finance/sku': Operation<Record<never, never>, ListQuery & Filters, undefined, Sku[]>
  'POST /finance/sku': Operation<Record<never, never>, Record<never, never>, NewSku, Sku>
  'PUT /finance/sku': Operation<Record<never, never>, Record<never, never>, PutFinanceSku, Sku>
  'GET /finance/sku/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Sku>
  'PUT /finance/sku/{id}': Operation<{ id: string }, Record<never, never>, PutFinanceSku, Sku>
  'PATCH /finance/sku/{id}': Operation<{ id: string }, Record<never, never>, PutFinanceSku, Sku>
  'DELETE /finance/sku/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /finance/sku/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, Sku>
  'GET /finance/sku/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /docs/doc': Operation<Record<never, never>, ListQuery & { archived?: "include" | "only" | "true" | "false" | undefined; containerId?: string | undefined; linksTo?: string | undefined; containerIds?: string | undefined; container?: string | undefined } & Filters, undefined, Document[]>
  'POST /docs/doc': Operation<Record<never, never>, Record<never, never>, NewDocument, Document>
  'PUT /docs/doc': Operation<Record<never, never>, Record<never, never>, PutDocsDoc, Document>
  'GET /docs/doc/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Document>
  'PUT /docs/doc/{id}': Operation<{ id: string }, Record<never, never>, PutDocsDoc, Document>
  'PATCH /docs/doc/{id}': Operation<{ id: string }, Record<never, never>, PutDocsDoc, Document>
  'DELETE /docs/doc/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /docs/doc/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, Document>
  'GET /docs/doc/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'POST /docs/doc/{id}/copy': Operation<{ id: string }, Record<never, never>, CopyDocsDoc, Document>
  'GET /docs/content/{docId}': Operation<{ docId: string }, { deleted?: "include" | undefined }, undefined, DocumentContent>
  'PUT /docs/content/{docId}': Operation<{ docId: string }, Record<never, never>, PutDocsContent, DocumentContent>
  'PATCH /docs/content/{docId}': Operation<{ docId: string }, Record<never, never>, PutDocsContent, DocumentContent>
  'GET /docs/content/{docId}/history': Operation<{ docId: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /docs/content/{docId}/versions': Operation<{ docId: string }, { limit?: number | undefined; before?: number | undefined }, undefined, DocumentVersion[]>
  'GET /docs/content/{docId}/versions/{version}': Operation<{ docId: string; version: string }, Record<never, never>, undefined, DocumentVersionText>
  'GET /docs/content/{docId}/diff': Operation<{ docId: string }, { from?: number | undefined; to?: number | undefined }, undefined, DocumentDiff>
  'POST /docs/content/{docId}/restore': Operation<{ docId: string }, Record<never, never>, { version: number }, DocumentContent>
  'GET /docs/doc/{id}/links': Operation<{ id: string }, Record<never, never>, undefined, DocumentLink[]>
  'GET /docs/doc/{id}/export': Operation<{ id: string }, { format?: "markdown" | "html" | "pdf" | undefined; images?: "remote" | undefined }, undefined, unknown>
  'GET /docs/folder': Operation<Record<never, never>, ListQuery & Filters, undefined, Folder[]>
  'POST /docs/folder': Operation<Record<never, never>, Record<never, never>, NewFolder, Folder>
  'PUT /docs/folder': Operation<Record<never, never>, Record<never, never>, PutDocsFolder, Folder>
  'GET /docs/folder/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Folder>
  'PUT /docs/folder/{id}': Operation<{ id: string }, Record<never, never>, PutDocsFolder, Folder>
  'PATCH /docs/folder/{id}': Operation<{ id: string }, Record<never, never>, PutDocsFolder, Folder>
  'DELETE /docs/folder/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /docs/folder/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, Folder>
  'GET /docs/folder/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /file': Operation<Record<never, never>, ListQuery & Filters, undefined, File[]>
  'POST /file': Operation<Record<never, never>, Record<never, never>, NewFile, File>
  'PUT /file': Operation<Record<never, never>, Record<never, never>, PutFile, File>
  'GET /file/download/{fileId}': Operation<{ fileId: string }, { inline?: boolean | undefined }, undefined, unknown>
  'GET /file/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, File>
  'PUT /file/{id}': Operation<{ id: string }, Record<never, never>, PutFile, File>
  'PATCH /file/{id}': Operation<{ id: string }, Record<never, never>, PutFile, File>
  'DELETE /file/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /file/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, File>
  'GET /file/{id}/thumb': Operation<{ id: string }, { size?: "64" | "256" | "1024" | undefined }, undefined, unknown>
  'GET /file/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'OPTIONS /file/upload': Operation<Record<never, never>, Record<never, never>, undefined, undefined>
  'POST /file/upload': Operation<Record<never, never>, Record<never, never>, Blob, FileUpload>
  'GET /file/upload/{id}': Operation<{ id: string }, Record<never, never>, undefined, FileUpload>
  'PATCH /file/upload/{id}': Operation<{ id: string }, Record<never, never>, Blob, undefined>
  'DELETE /file/upload/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'GET /outbound-storage/usage': Operation<Record<never, never>, Record<never, never>, undefined, StorageUsage[]>
  'GET /outbound-storage': Operation<Record<never, never>, ListQuery & Filters, undefined, OutboundStorage[]>
  'POST /outbound-storage': Operation<Record<never, never>, Record<never, never>, NewOutboundStorage, OutboundStorage>
  'PUT /outbound-storage': Operation<Record<never, never>, Record<never, never>, PutOutboundStorage, OutboundStorage>
  'GET /outbound-storage/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, OutboundStorage>
  'PUT /outbound-storage/{id}': Operation<{ id: string }, Record<never, never>, PutOutboundStorage, OutboundStorage>
  'PATCH /outbound-storage/{id}': Operation<{ id: string }, Record<never, never>, PutOutboundStorage, OutboundStorage>
  'DELETE /outbound-storage/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /outbound-storage/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, OutboundStorage>
  'GET /outbound-storage/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /outbound-storage/{id}/check': Operation<{ id: string }, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'POST /outbound-storage/{id}/test': Operation<{ id: string }, Record<never, never>, undefined, { ok: boolean; step: "" | "write" | "read" | "range" | "list" | "delete"; fault: "" | "unreachable" | "busy" | "credentials" | "denied" | "no-bucket" | "region" | "missing" | "refused" | "other-bytes"; message: string }>
  'POST /outbound-storage/{id}/migrate': Operation<{ id: string }, Record<never, never>, undefined, StorageMigration>
  'GET /outbound-storage/migration': Operation<Record<never, never>, ListQuery & Filters, undefined, StorageMigration[]>
  'GET /outbound-storage/migration/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, StorageMigration>
  'GET /outbound-storage/migration/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'POST /outbound-storage/migration/{id}/cancel': Operation<{ id: string }, Record<never, never>, undefined, StorageMigration>
  'POST /outbound-storage/migration/{id}/resume': Operation<{ id: string }, Record<never, never>, undefined, StorageMigration>
  'GET /time/calendar': Operation<Record<never, never>, ListQuery & Filters, undefined, TimeCalendar[]>
  'POST /time/calendar': Operation<Record<never, never>, Record<never, never>, NewTimeCalendar, TimeCalendar>
  'PUT /time/calendar': Operation<Record<never, never>, Record<never, never>, PutTimeCalendar, TimeCalendar>
  'GET /time/calendar/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, TimeCalendar>
  'PUT /time/calendar/{id}': Operation<{ id: string }, Record<never, never>, PutTimeCalendar, TimeCalendar>
  'PATCH /time/calendar/{id}': Operation<{ id: string }, Record<never, never>, PutTimeCalendar, TimeCalendar>
  'DELETE /time/calendar/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /time/calendar/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, TimeCalendar>
  'GET /time/calendar/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /time/calendar/{id}/check': Operation<{ id: string }, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'GET /time/sheet': Operation<Record<never, never>, ListQuery & { waitingFor?: "@me" | undefined } & Filters, undefined, Timesheet[]>
  'POST /time/sheet/day': Operation<Record<never, never>, Record<never, never>, { date?: string | undefined; userId?: string | undefined }, Timesheet>
  'GET /time/sheet/{id}': Operation<{ id: string }, Record<never, never>, undefined, Timesheet>
  'GET /time/sheet/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'POST /time/sheet/bulk': Operation<Record<never, never>, Record<never, never>, BulkTimeSheet, TimesheetOutcome[]>
  'POST /time/sheet/{id}/submit': Operation<{ id: string }, Record<never, never>, { comment?: string | undefined }, Timesheet>
  'POST /time/sheet/{id}/recall': Operation<{ id: string }, Record<never, never>, undefined, Timesheet>
  'POST /time/sheet/{id}/approve': Operation<{ id: string }, Record<never, never>, ApproveTimeSheet, Timesheet>
  'POST /time/sheet/{id}/reject': Operation<{ id: string }, Record<never, never>, { comment: string; containerIds?: string[] | undefined }, Timesheet>
  'POST /time/sheet/{id}/reopen': Operation<{ id: string }, Record<never, never>, { reason: string }, Timesheet>
  'POST /time/sheet/{id}/lock': Operation<{ id: string }, Record<never, never>, undefined, Timesheet>
  'POST /time/sheet/{id}/unlock': Operation<{ id: string }, Record<never, never>, { reason: string }, Timesheet>
  'GET /time/delegation': Operation<Record<never, never>, ListQuery & Filters, undefined, TimeDelegation[]>
  'POST /time/delegation': Operation<Record<never, never>, Record<never, never>, NewTimeDelegation, TimeDelegation>
  'PUT /time/delegation': Operation<Record<never, never>, Record<never, never>, PutTimeDelegation, TimeDelegation>
  'GET /time/delegation/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, TimeDelegation>
  'PUT /time/delegation/{id}': Operation<{ id: string }, Record<never, never>, PutTimeDelegation, TimeDelegation>
  'PATCH /time/delegation/{id}': Operation<{ id: string }, Record<never, never>, PutTimeDelegation, TimeDelegation>
  'DELETE /time/delegation/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /time/delegation/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, TimeDelegation>
  'GET /time/delegation/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /time/close': Operation<Record<never, never>, Record<never, never>, undefined, TimeClosing>
  'POST /time/close': Operation<Record<never, never>, Record<never, never>, { until: string | null; reason: string }, TimeClosing>
  'GET /time/close/history': Operation<Record<never, never>, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'POST /time/{id}/correct': Operation<{ id: string }, Record<never, never>, CorrectTime, CorrectionEntries>
  'POST /time/bulk': Operation<Record<never, never>, { atomic?: boolean | undefined }, BulkTime, BulkTimeOutcome[]>
  'PATCH /time': Operation<Record<never, never>, Record<never, never>, UpdateManyTime, BulkTimeChange[]>
  'DELETE /time': Operation<Record<never, never>, { ids: string; atomic?: boolean | undefined; itemIds?: string | undefined }, undefined, BulkTimeDeletion[]>
  'GET /time': Operation<Record<never, never>, ListQuery & Filters, undefined, Time[]>
  'POST /time': Operation<Record<never, never>, { split?: boolean | undefined }, NewTimeOrEntries, TimeOrEntries>
  'PUT /time': Operation<Record<never, never>, Record<never, never>, PutTime, Time>
  'GET /time/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Time>
  'PUT /time/{id}': Operation<{ id: string }, Record<never, never>, PutTime, Time>
  'PATCH /time/{id}': Operation<{ id: string }, Record<never, never>, PutTime, Time>
  'DELETE /time/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /time/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, Time>
  'GET /time/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /time/timer': Operation<Record<never, never>, Record<never, never>, undefined, Timer>
  'PATCH /time/timer': Operation<Record<never, never>, Record<never, never>, UpdateTimerTime, Timer>
  'DELETE /time/timer': Operation<Record<never, never>, Record<never, never>, undefined, undefined>
  'POST /time/timer/start': Operation<Record<never, never>, Record<never, never>, UpdateTimerTime, Timer>
  'POST /time/timer/switch': Operation<Record<never, never>, Record<never, never>, UpdateTimerTime, { entries: Time[]; timer: Timer }>
  'POST /time/timer/stop': Operation<Record<never, never>, Record<never, never>, TimerStopTime, { entries: Time[] }>
  'POST /time/reprice': Operation<Record<never, never>, Record<never, never>, RepriceTime, Repriced>
  'GET /time/week/{date}': Operation<{ date: string }, { userId?: string | undefined; user?: string | undefined }, undefined, TimeWeek>
  'PUT /time/week/{date}': Operation<{ date: string }, { atomic?: boolean | undefined }, SetWeekTime, { results: { index: number; outcome: "saved" | "unchanged" | "failed"; problem?: Record<string, unknown> | undefined }[]; week: TimeWeek }>
  'GET /time/suggest': Operation<Record<never, never>, { date?: string | undefined }, undefined, { itemId: string; nonBillable: string; label: string; seconds: number | null; why: "plan" | "timer" | "touched" | "recent" }[]>
  'GET /container': Operation<Record<never, never>, ListQuery & Filters, undefined, Container[]>
  'POST /container': Operation<Record<never, never>, Record<never, never>, NewContainer, Container>
  'PUT /container': Operation<Record<never, never>, Record<never, never>, PutContainer, Container>
  'PATCH /container': Operation<Record<never, never>, Record<never, never>, UpdateManyContainer, BulkContainerChange[]>
  'DELETE /container': Operation<Record<never, never>, { ids: string; atomic?: boolean | undefined }, undefined, BulkContainerDeletion[]>
  'GET /container/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Container>
  'PUT /container/{id}': Operation<{ id: string }, Record<never, never>, PutContainer, Container>
  'PATCH /container/{id}': Operation<{ id: string }, Record<never, never>, PutContainer, Container>
  'DELETE /container/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /container/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, Container>
  'GET /container/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /container/{id}/member': Operation<{ id: string }, Record<never, never>, undefined, ContainerMember[]>
  'PUT /container/{id}/member': Operation<{ id: string }, Record<never, never>, SetContainerMember, ContainerMember>
  'DELETE /container/{id}/member/{userId}': Operation<{ id: string; userId: string }, Record<never, never>, undefined, undefined>
  'GET /container/filter': Operation<Record<never, never>, ListQuery & Filters, undefined, ContainerFilter[]>
  'GET /container/{containerId}/filter': Operation<{ containerId: string }, ListQuery & Filters, undefined, ContainerFilter[]>
  'POST /container/{containerId}/filter': Operation<{ containerId: string }, Record<never, never>, NewContainerFilter, ContainerFilter>
  'PUT /container/{containerId}/filter': Operation<{ containerId: string }, Record<never, never>, PutContainerFilter, ContainerFilter>
  'GET /container/{containerId}/filter/{filterId}': Operation<{ containerId: string; filterId: string }, { deleted?: "include" | undefined }, undefined, ContainerFilter>
  'PUT /container/{containerId}/filter/{filterId}': Operation<{ containerId: string; filterId: string }, Record<never, never>, PutContainerFilter, ContainerFilter>
  'PATCH /container/{containerId}/filter/{filterId}': Operation<{ containerId: string; filterId: string }, Record<never, never>, PutContainerFilter, ContainerFilter>
  'DELETE /container/{containerId}/filter/{filterId}': Operation<{ containerId: string; filterId: string }, Record<never, never>, undefined, undefined>
  'POST /container/{containerId}/filter/{filterId}/restore': Operation<{ containerId: string; filterId: string }, Record<never, never>, undefined, ContainerFilter>
  'GET /container/{containerId}/filter/{filterId}/history': Operation<{ containerId: string; filterId: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /container/{containerId}/filter/{filterId}/check': Operation<{ containerId: string; filterId: string }, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'GET /area': Operation<Record<never, never>, ListQuery & { tree?: boolean | undefined } & Filters, undefined, Area[]>
  'POST /area': Operation<Record<never, never>, Record<never, never>, NewArea, Area>
  'PUT /area': Operation<Record<never, never>, Record<never, never>, PutArea, Area>
  'GET /area/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Area>
  'PUT /area/{id}': Operation<{ id: string }, Record<never, never>, PutArea, Area>
  'PATCH /area/{id}': Operation<{ id: string }, Record<never, never>, PutArea, Area>
  'DELETE /area/{id}': Operation<{ id: string }, { cascade?: boolean | undefined }, undefined, undefined>
  'POST /area/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, Area>
  'GET /area/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /area/{id}/check': Operation<{ id: string }, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'GET /board': Operation<Record<never, never>, ListQuery & Filters, undefined, Board[]>
  'POST /board': Operation<Record<never, never>, Record<never, never>, NewBoard, Board>
  'PUT /board': Operation<Record<never, never>, Record<never, never>, PutBoard, Board>
  'GET /board/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Board>
  'PUT /board/{id}': Operation<{ id: string }, Record<never, never>, PutBoard, Board>
  'PATCH /board/{id}': Operation<{ id: string }, Record<never, never>, PutBoard, Board>
  'DELETE /board/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /board/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, Board>
  'GET /board/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /board/{id}/check': Operation<{ id: string }, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'GET /cycle': Operation<Record<never, never>, ListQuery & Filters, undefined, Cycle[]>
  'POST /cycle': Operation<Record<never, never>, Record<never, never>, NewCycle, Cycle>
  'PUT /cycle': Operation<Record<never, never>, Record<never, never>, PutCycle, Cycle>
  'GET /cycle/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Cycle>
  'PUT /cycle/{id}': Operation<{ id: string }, Record<never, never>, PutCycle, Cycle>
  'PATCH /cycle/{id}': Operation<{ id: string }, Record<never, never>, PutCycle, Cycle>
  'DELETE /cycle/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /cycle/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, Cycle>
  'GET /cycle/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /cycle/{id}/check': Operation<{ id: string }, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'GET /field': Operation<Record<never, never>, ListQuery & Filters, undefined, Field[]>
  'POST /field': Operation<Record<never, never>, Record<never, never>, NewField, Field>
  'PUT /field': Operation<Record<never, never>, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'GET /field/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Field>
  'PUT /field/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'PATCH /field/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'DELETE /field/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /field/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, Field>
  'GET /field/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /field/{id}/check': Operation<{ id: string }, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'GET /field/text': Operation<Record<never, never>, ListQuery & Filters, undefined, Field[]>
  'POST /field/text': Operation<Record<never, never>, Record<never, never>, NewField, Field>
  'PUT /field/text': Operation<Record<never, never>, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'GET /field/text/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Field>
  'PUT /field/text/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'PATCH /field/text/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'DELETE /field/text/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'GET /field/longText': Operation<Record<never, never>, ListQuery & Filters, undefined, Field[]>
  'POST /field/longText': Operation<Record<never, never>, Record<never, never>, NewField, Field>
  'PUT /field/longText': Operation<Record<never, never>, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'GET /field/longText/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Field>
  'PUT /field/longText/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'PATCH /field/longText/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'DELETE /field/longText/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'GET /field/number': Operation<Record<never, never>, ListQuery & Filters, undefined, Field[]>
  'POST /field/number': Operation<Record<never, never>, Record<never, never>, NewField, Field>
  'PUT /field/number': Operation<Record<never, never>, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'GET /field/number/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Field>
  'PUT /field/number/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'PATCH /field/number/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'DELETE /field/number/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'GET /field/money': Operation<Record<never, never>, ListQuery & Filters, undefined, Field[]>
  'POST /field/money': Operation<Record<never, never>, Record<never, never>, NewField, Field>
  'PUT /field/money': Operation<Record<never, never>, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'GET /field/money/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Field>
  'PUT /field/money/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'PATCH /field/money/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'DELETE /field/money/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'GET /field/boolean': Operation<Record<never, never>, ListQuery & Filters, undefined, Field[]>
  'POST /field/boolean': Operation<Record<never, never>, Record<never, never>, NewField, Field>
  'PUT /field/boolean': Operation<Record<never, never>, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'GET /field/boolean/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Field>
  'PUT /field/boolean/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'PATCH /field/boolean/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'DELETE /field/boolean/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'GET /field/date': Operation<Record<never, never>, ListQuery & Filters, undefined, Field[]>
  'POST /field/date': Operation<Record<never, never>, Record<never, never>, NewField, Field>
  'PUT /field/date': Operation<Record<never, never>, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'GET /field/date/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Field>
  'PUT /field/date/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'PATCH /field/date/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'DELETE /field/date/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'GET /field/dateTime': Operation<Record<never, never>, ListQuery & Filters, undefined, Field[]>
  'POST /field/dateTime': Operation<Record<never, never>, Record<never, never>, NewField, Field>
  'PUT /field/dateTime': Operation<Record<never, never>, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'GET /field/dateTime/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Field>
  'PUT /field/dateTime/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'PATCH /field/dateTime/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'DELETE /field/dateTime/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'GET /field/time': Operation<Record<never, never>, ListQuery & Filters, undefined, Field[]>
  'POST /field/time': Operation<Record<never, never>, Record<never, never>, NewField, Field>
  'PUT /field/time': Operation<Record<never, never>, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'GET /field/time/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Field>
  'PUT /field/time/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'PATCH /field/time/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'DELETE /field/time/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'GET /field/select': Operation<Record<never, never>, ListQuery & Filters, undefined, Field[]>
  'POST /field/select': Operation<Record<never, never>, Record<never, never>, NewField, Field>
  'PUT /field/select': Operation<Record<never, never>, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'GET /field/select/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Field>
  'PUT /field/select/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'PATCH /field/select/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'DELETE /field/select/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'GET /field/multiSelect': Operation<Record<never, never>, ListQuery & Filters, undefined, Field[]>
  'POST /field/multiSelect': Operation<Record<never, never>, Record<never, never>, NewField, Field>
  'PUT /field/multiSelect': Operation<Record<never, never>, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'GET /field/multiSelect/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Field>
  'PUT /field/multiSelect/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'PATCH /field/multiSelect/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'DELETE /field/multiSelect/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'GET /field/user': Operation<Record<never, never>, ListQuery & Filters, undefined, Field[]>
  'POST /field/user': Operation<Record<never, never>, Record<never, never>, NewField, Field>
  'PUT /field/user': Operation<Record<never, never>, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'GET /field/user/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Field>
  'PUT /field/user/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'PATCH /field/user/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'DELETE /field/user/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'GET /field/userGroup': Operation<Record<never, never>, ListQuery & Filters, undefined, Field[]>
  'POST /field/userGroup': Operation<Record<never, never>, Record<never, never>, NewField, Field>
  'PUT /field/userGroup': Operation<Record<never, never>, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'GET /field/userGroup/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Field>
  'PUT /field/userGroup/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'PATCH /field/userGroup/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'DELETE /field/userGroup/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'GET /field/item': Operation<Record<never, never>, ListQuery & Filters, undefined, Field[]>
  'POST /field/item': Operation<Record<never, never>, Record<never, never>, NewField, Field>
  'PUT /field/item': Operation<Record<never, never>, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'GET /field/item/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Field>
  'PUT /field/item/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'PATCH /field/item/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'DELETE /field/item/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'GET /field/crm': Operation<Record<never, never>, ListQuery & Filters, undefined, Field[]>
  'POST /field/crm': Operation<Record<never, never>, Record<never, never>, NewField, Field>
  'PUT /field/crm': Operation<Record<never, never>, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'GET /field/crm/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Field>
  'PUT /field/crm/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'PATCH /field/crm/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'DELETE /field/crm/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'GET /field/sku': Operation<Record<never, never>, ListQuery & Filters, undefined, Field[]>
  'POST /field/sku': Operation<Record<never, never>, Record<never, never>, NewField, Field>
  'PUT /field/sku': Operation<Record<never, never>, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'GET /field/sku/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Field>
  'PUT /field/sku/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'PATCH /field/sku/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'DELETE /field/sku/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'GET /field/url': Operation<Record<never, never>, ListQuery & Filters, undefined, Field[]>
  'POST /field/url': Operation<Record<never, never>, Record<never, never>, NewField, Field>
  'PUT /field/url': Operation<Record<never, never>, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'GET /field/url/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Field>
  'PUT /field/url/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'PATCH /field/url/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'DELETE /field/url/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'GET /field/file': Operation<Record<never, never>, ListQuery & Filters, undefined, Field[]>
  'POST /field/file': Operation<Record<never, never>, Record<never, never>, NewField, Field>
  'PUT /field/file': Operation<Record<never, never>, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'GET /field/file/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Field>
  'PUT /field/file/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'PATCH /field/file/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'DELETE /field/file/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'GET /field/formula': Operation<Record<never, never>, ListQuery & Filters, undefined, Field[]>
  'POST /field/formula': Operation<Record<never, never>, Record<never, never>, NewField, Field>
  'PUT /field/formula': Operation<Record<never, never>, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'GET /field/formula/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Field>
  'PUT /field/formula/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'PATCH /field/formula/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'DELETE /field/formula/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'GET /field/rollup': Operation<Record<never, never>, ListQuery & Filters, undefined, Field[]>
  'POST /field/rollup': Operation<Record<never, never>, Record<never, never>, NewField, Field>
  'PUT /field/rollup': Operation<Record<never, never>, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'GET /field/rollup/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Field>
  'PUT /field/rollup/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'PATCH /field/rollup/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'DELETE /field/rollup/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'GET /field/cascade': Operation<Record<never, never>, ListQuery & Filters, undefined, Field[]>
  'POST /field/cascade': Operation<Record<never, never>, Record<never, never>, NewField, Field>
  'PUT /field/cascade': Operation<Record<never, never>, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'GET /field/cascade/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Field>
  'PUT /field/cascade/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'PATCH /field/cascade/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'DELETE /field/cascade/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'GET /field/json': Operation<Record<never, never>, ListQuery & Filters, undefined, Field[]>
  'POST /field/json': Operation<Record<never, never>, Record<never, never>, NewField, Field>
  'PUT /field/json': Operation<Record<never, never>, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'GET /field/json/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Field>
  'PUT /field/json/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'PATCH /field/json/{id}': Operation<{ id: string }, { map?: string | undefined; lossy?: boolean | undefined }, PutField, ChangedField>
  'DELETE /field/json/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'GET /label': Operation<Record<never, never>, ListQuery & Filters, undefined, Label[]>
  'POST /label': Operation<Record<never, never>, Record<never, never>, NewLabel, Label>
  'PUT /label': Operation<Record<never, never>, Record<never, never>, PutLabel, Label>
  'PATCH /label': Operation<Record<never, never>, Record<never, never>, UpdateManyLabel, BulkLabelChange[]>
  'DELETE /label': Operation<Record<never, never>, { ids: string; atomic?: boolean | undefined }, undefined, BulkLabelDeletion[]>
  'GET /label/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Label>
  'PUT /label/{id}': Operation<{ id: string }, Record<never, never>, PutLabel, Label>
  'PATCH /label/{id}': Operation<{ id: string }, Record<never, never>, PutLabel, Label>
  'DELETE /label/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /label/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, Label>
  'GET /label/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /label/{id}/check': Operation<{ id: string }, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'POST /label/{id}/merge': Operation<{ id: string }, Record<never, never>, { into: string }, Label>
  'GET /screen': Operation<Record<never, never>, ListQuery & Filters, undefined, Screen[]>
  'POST /screen': Operation<Record<never, never>, Record<never, never>, NewScreen, Screen>
  'PUT /screen': Operation<Record<never, never>, Record<never, never>, PutScreen, Screen>
  'GET /screen/resolve': Operation<Record<never, never>, { containerId?: string | undefined; processId?: string | undefined; moment?: number | undefined; stepId?: string | undefined; containerIds?: string | undefined; container?: string | undefined }, undefined, ResolvedScreen>
  'GET /screen/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Screen>
  'PUT /screen/{id}': Operation<{ id: string }, Record<never, never>, PutScreen, Screen>
  'PATCH /screen/{id}': Operation<{ id: string }, Record<never, never>, PutScreen, Screen>
  'DELETE /screen/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /screen/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, Screen>
  'GET /screen/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /screen/{id}/check': Operation<{ id: string }, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'GET /container/{id}/request-type': Operation<{ id: string }, Record<never, never>, undefined, RequestType[]>
  'GET /constraint': Operation<Record<never, never>, ListQuery & Filters, undefined, Constraint[]>
  'POST /constraint': Operation<Record<never, never>, Record<never, never>, NewConstraint, Constraint>
  'PUT /constraint': Operation<Record<never, never>, Record<never, never>, PutConstraint, Constraint>
  'GET /constraint/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Constraint>
  'PUT /constraint/{id}': Operation<{ id: string }, Record<never, never>, PutConstraint, Constraint>
  'PATCH /constraint/{id}': Operation<{ id: string }, Record<never, never>, PutConstraint, Constraint>
  'DELETE /constraint/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /constraint/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, Constraint>
  'GET /constraint/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /constraint/{id}/check': Operation<{ id: string }, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'GET /content-template': Operation<Record<never, never>, ListQuery & Filters, undefined, ContentTemplate[]>
  'POST /content-template': Operation<Record<never, never>, Record<never, never>, NewContentTemplate, ContentTemplate>
  'PUT /content-template': Operation<Record<never, never>, Record<never, never>, PutContentTemplate, ContentTemplate>
  'GET /content-template/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, ContentTemplate>
  'PUT /content-template/{id}': Operation<{ id: string }, Record<never, never>, PutContentTemplate, ContentTemplate>
  'PATCH /content-template/{id}': Operation<{ id: string }, Record<never, never>, PutContentTemplate, ContentTemplate>
  'DELETE /content-template/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /content-template/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, ContentTemplate>
  'GET /content-template/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /content-template/{id}/check': Operation<{ id: string }, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'GET /item': Operation<Record<never, never>, ListQuery & { archived?: "include" | "only" | "true" | "false" | undefined; q?: string | undefined; include?: string | undefined; asOf?: string | undefined } & Filters, undefined, ListedItem[]>
  'PUT /item': Operation<Record<never, never>, { force?: boolean | undefined }, PutItem, ItemWithTime>
  'POST /item': Operation<Record<never, never>, { effects?: "all" | undefined; similar?: boolean | undefined }, NewItemWithTime, ItemWithTime>
  'PATCH /item': Operation<Record<never, never>, { force?: boolean | undefined }, UpdateManyItem, BulkChangeOutcome[]>
  'GET /item/{id}': Operation<{ id: string }, { deleted?: "include" | undefined; render?: "html" | undefined; images?: "remote" | undefined; asOf?: string | undefined; include?: string | undefined; moment?: number | undefined; stepId?: string | undefined }, undefined, OpenedItem>
  'PUT /item/{id}': Operation<{ id: string }, { force?: boolean | undefined }, PutItem, ItemWithTime>
  'PATCH /item/{id}': Operation<{ id: string }, { force?: boolean | undefined }, PutItem, ItemWithTime>
  'DELETE /item/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /item/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, Item>
  'POST /item/{id}/archive': Operation<{ id: string }, Record<never, never>, undefined, ItemWithTime>
  'POST /item/{id}/unarchive': Operation<{ id: string }, Record<never, never>, undefined, ItemWithTime>
  'POST /item/{id}/move': Operation<{ id: string }, { force?: boolean | undefined }, MoveItem, ItemWithTime>
  'POST /item/{id}/rank': Operation<{ id: string }, Record<never, never>, { before?: string | undefined; after?: string | undefined }, ItemWithTime>
  'POST /item/{id}/convert': Operation<{ id: string }, { force?: boolean | undefined }, ConvertItem, ItemWithTime>
  'GET /item/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /item/{id}/transitions': Operation<{ id: string }, Record<never, never>, undefined, Transition[]>
  'POST /item/search': Operation<Record<never, never>, Record<never, never>, SearchItem, ListedItem[]>
  'POST /item/{id}/break-glass': Operation<{ id: string }, Record<never, never>, { reason: string }, BrokenGlass>
  'GET /item/{id}/screen': Operation<{ id: string }, { moment?: number | undefined; stepId?: string | undefined }, undefined, ResolvedScreen>
  'GET /link/type': Operation<Record<never, never>, ListQuery & Filters, undefined, LinkType[]>
  'POST /link/type': Operation<Record<never, never>, Record<never, never>, NewLinkType, LinkType>
  'PUT /link/type': Operation<Record<never, never>, Record<never, never>, PutLinkType, LinkType>
  'GET /link/type/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, LinkType>
  'PUT /link/type/{id}': Operation<{ id: string }, Record<never, never>, PutLinkType, LinkType>
  'PATCH /link/type/{id}': Operation<{ id: string }, Record<never, never>, PutLinkType, LinkType>
  'DELETE /link/type/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /link/type/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, LinkType>
  'GET /link/type/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /link/type/{id}/check': Operation<{ id: string }, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'GET /link': Operation<Record<never, never>, ListQuery & Filters, undefined, Link[]>
  'POST /link': Operation<Record<never, never>, Record<never, never>, NewLink, Link>
  'PUT /link': Operation<Record<never, never>, Record<never, never>, PutLink, Link>
  'PATCH /link': Operation<Record<never, never>, Record<never, never>, UpdateManyLink, BulkLinkChange[]>
  'DELETE /link': Operation<Record<never, never>, { ids: string; atomic?: boolean | undefined }, undefined, BulkLinkDeletion[]>
  'GET /link/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Link>
  'PUT /link/{id}': Operation<{ id: string }, Record<never, never>, PutLink, Link>
  'PATCH /link/{id}': Operation<{ id: string }, Record<never, never>, PutLink, Link>
  'DELETE /link/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /link/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, Link>
  'GET /link/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /item/{id}/links': Operation<{ id: string }, Record<never, never>, undefined, LinkGroup[]>
  'POST /item/{id}/close-duplicates': Operation<{ id: string }, Record<never, never>, CloseDuplicatesItem, Item[]>
  'POST /item/similar': Operation<Record<never, never>, Record<never, never>, SimilarItem2, SimilarItem[]>
  'POST /item/bulk': Operation<Record<never, never>, { effects?: "all" | undefined }, BulkItem, BulkOutcome[]>
  'POST /item/delete': Operation<Record<never, never>, Record<never, never>, { itemIds: string[] }, DeletedItems>
  'GET /item/{id}/recurrence': Operation<{ id: string }, Record<never, never>, undefined, ItemRecurrence>
  'PUT /item/{id}/recurrence': Operation<{ id: string }, Record<never, never>, SetRecurrenceItem, ItemRecurrence>
  'DELETE /item/{id}/recurrence': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'GET /user/{id}/assignments': Operation<{ id: string }, ListQuery & Filters, undefined, UserAssignments>
  'POST /user/{id}/deactivate': Operation<{ id: string }, Record<never, never>, { reassignTo?: string | null | undefined }, Deactivated>
  'POST /user/{id}/anonymise': Operation<{ id: string }, Record<never, never>, undefined, User>
  'GET /container/{containerId}/filter/{filterId}/items': Operation<{ containerId: string; filterId: string }, ListQuery & { archived?: "include" | "only" | "true" | "false" | undefined; include?: string | undefined; asOf?: string | undefined } & Filters, undefined, ListedItem[]>
  'GET /container/{containerId}/filter/{filterId}/count': Operation<{ containerId: string; filterId: string }, { asOf?: string | undefined }, undefined, { count: number }>
  'GET /container/{containerId}/filter/{filterId}/groups': Operation<{ containerId: string; filterId: string }, { by?: string | undefined; first?: number | undefined; fields?: string | undefined }, undefined, Group[]>
  'POST /item/count': Operation<Record<never, never>, Record<never, never>, { queries: CountQuery[] }, ItemCounts>
  'POST /item/compare': Operation<Record<never, never>, Record<never, never>, CompareItem, ItemComparison>
  'POST /constraint/dry-run': Operation<Record<never, never>, Record<never, never>, DryRunConstraint, ConstraintTrial>
  'POST /constraint/{id}/try': Operation<{ id: string }, Record<never, never>, { itemId?: string | undefined }, ConstraintTrial>
  'GET /board/{id}/cards': Operation<{ id: string }, ListQuery & { column?: string | undefined; quickFilter?: string | undefined; swimlane?: string | undefined; include?: string | undefined; asOf?: string | undefined } & Filters, undefined, BoardCards>
  'POST /board/{id}/move': Operation<{ id: string }, Record<never, never>, MoveBoard, MovedCard>
  'POST /item/move': Operation<Record<never, never>, { force?: boolean | undefined }, MoveManyItem, MovedItems>
  'GET /cycle/velocity': Operation<Record<never, never>, { containerId?: string | undefined; userGroupId?: string | undefined; last?: number | undefined; containerIds?: string | undefined; container?: string | undefined; groupId?: string | undefined }, undefined, Velocity>
  'POST /cycle/{id}/start': Operation<{ id: string }, Record<never, never>, undefined, Cycle>
  'POST /cycle/{id}/finish': Operation<{ id: string }, Record<never, never>, FinishCycle, FinishedCycle>
  'POST /cycle/{id}/reopen': Operation<{ id: string }, Record<never, never>, undefined, Cycle>
  'POST /cycle/{id}/items': Operation<{ id: string }, Record<never, never>, ItemsCycle, PlannedItems>
  'GET /cycle/{id}/burndown': Operation<{ id: string }, Record<never, never>, undefined, CycleBurndown>
  'GET /cycle/{id}/capacity': Operation<{ id: string }, Record<never, never>, undefined, CycleCapacity>
  'POST /item/{id}/copy': Operation<{ id: string }, Record<never, never>, CopyItem, ItemWithTime>
  'POST /container/{id}/copy': Operation<{ id: string }, Record<never, never>, CopyContainer, CopiedContainer>
  'GET /item/{id}/timeline': Operation<{ id: string }, ListQuery & { kinds?: string | undefined; asOf?: string | undefined } & Filters, undefined, TimelineEntry[]>
  'GET /annotation': Operation<Record<never, never>, ListQuery & { render?: "html" | undefined; images?: "remote" | undefined } & Filters, undefined, Annotation[]>
  'POST /annotation': Operation<Record<never, never>, Record<never, never>, NewAnnotation, Annotation>
  'PUT /annotation': Operation<Record<never, never>, Record<never, never>, PutAnnotation, Annotation>
  'PATCH /annotation': Operation<Record<never, never>, Record<never, never>, UpdateManyAnnotation, BulkAnnotationChange[]>
  'DELETE /annotation': Operation<Record<never, never>, { ids: string; atomic?: boolean | undefined }, undefined, BulkAnnotationDeletion[]>
  'GET /annotation/{id}': Operation<{ id: string }, { deleted?: "include" | undefined; render?: "html" | undefined; images?: "remote" | undefined }, undefined, Annotation>
  'PUT /annotation/{id}': Operation<{ id: string }, Record<never, never>, PutAnnotation, Annotation>
  'PATCH /annotation/{id}': Operation<{ id: string }, Record<never, never>, PutAnnotation, Annotation>
  'DELETE /annotation/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /annotation/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, Annotation>
  'GET /annotation/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /annotation/{id}/versions': Operation<{ id: string }, Record<never, never>, undefined, { version: number; at: string; by: string; body: string; bodyFormat: string }[]>
  'POST /annotation/{id}/publish': Operation<{ id: string }, Record<never, never>, { confirm: boolean }, Annotation>
  'POST /annotation/{id}/pin': Operation<{ id: string }, Record<never, never>, undefined, Annotation>
  'POST /annotation/{id}/unpin': Operation<{ id: string }, Record<never, never>, undefined, Annotation>
  'POST /annotation/{id}/resolve': Operation<{ id: string }, Record<never, never>, undefined, Annotation>
  'POST /annotation/{id}/unresolve': Operation<{ id: string }, Record<never, never>, undefined, Annotation>
  'PUT /annotation/{id}/reaction/{emoji}': Operation<{ id: string; emoji: string }, Record<never, never>, undefined, Annotation>
  'DELETE /annotation/{id}/reaction/{emoji}': Operation<{ id: string; emoji: string }, Record<never, never>, undefined, undefined>
  'GET /item/{id}/annotations': Operation<{ id: string }, ListQuery & { render?: "html" | undefined; images?: "remote" | undefined } & Filters, undefined, Annotation[]>
  'GET /item/{id}/draft': Operation<{ id: string }, Record<never, never>, undefined, AnnotationDraft>
  'PUT /item/{id}/draft': Operation<{ id: string }, Record<never, never>, SetDraftItem, AnnotationDraft>
  'DELETE /item/{id}/draft': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'GET /docs/doc/{id}/comments': Operation<{ id: string }, { limit?: number | undefined; after?: string | undefined }, undefined, DocumentComment[]>
  'GET /item/{id}/checklist': Operation<{ id: string }, Record<never, never>, undefined, ChecklistEntry[]>
  'POST /item/{id}/checklist/order': Operation<{ id: string }, Record<never, never>, { ids: string[] }, ChecklistEntry[]>
  'POST /item/{id}/checklist/markdown': Operation<{ id: string }, Record<never, never>, ChecklistMarkdownItem, ChecklistEntry[]>
  'POST /item/{id}/checklist/convert': Operation<{ id: string }, Record<never, never>, { ids?: string[] | undefined }, Item[]>
  'GET /checklist-entry': Operation<Record<never, never>, ListQuery & Filters, undefined, ChecklistEntry[]>
  'POST /checklist-entry': Operation<Record<never, never>, Record<never, never>, NewChecklistEntry, ChecklistEntry>
  'PUT /checklist-entry': Operation<Record<never, never>, Record<never, never>, PutChecklistEntry, ChecklistEntry>
  'GET /checklist-entry/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, ChecklistEntry>
  'PUT /checklist-entry/{id}': Operation<{ id: string }, Record<never, never>, PutChecklistEntry, ChecklistEntry>
  'PATCH /checklist-entry/{id}': Operation<{ id: string }, Record<never, never>, PutChecklistEntry, ChecklistEntry>
  'DELETE /checklist-entry/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /checklist-entry/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, ChecklistEntry>
  'GET /checklist-entry/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /ticket': Operation<Record<never, never>, ListQuery & { archived?: "include" | "only" | "true" | "false" | undefined; queue?: string | undefined; assignee?: string | undefined; include?: string | undefined } & Filters, undefined, ListedTicket[]>
  'POST /ticket': Operation<Record<never, never>, { effects?: "all" | undefined }, NewTicket, Ticket>
  'PUT /ticket': Operation<Record<never, never>, { force?: boolean | undefined }, PutTicket, Ticket>
  'GET /ticket/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Ticket>
  'PUT /ticket/{id}': Operation<{ id: string }, { force?: boolean | undefined }, PutTicket, Ticket>
  'PATCH /ticket/{id}': Operation<{ id: string }, { force?: boolean | undefined }, PutTicket, Ticket>
  'DELETE /ticket/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /ticket/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, Ticket>
  'GET /ticket/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'POST /ticket/{id}/reply': Operation<{ id: string }, Record<never, never>, ReplyTicket, Ticket>
  'POST /ticket/{id}/note': Operation<{ id: string }, Record<never, never>, NoteTicket, Ticket>
  'POST /ticket/{id}/forward': Operation<{ id: string }, Record<never, never>, { to: string[]; body: string }, Ticket>
  'POST /ticket/{id}/snooze': Operation<{ id: string }, Record<never, never>, { until: string }, Ticket>
  'POST /ticket/{id}/unsnooze': Operation<{ id: string }, Record<never, never>, undefined, Ticket>
  'POST /ticket/{id}/close': Operation<{ id: string }, Record<never, never>, CloseDuplicatesItem, Ticket>
  'POST /ticket/{id}/reopen': Operation<{ id: string }, Record<never, never>, undefined, Ticket>
  'POST /ticket/{id}/spam': Operation<{ id: string }, Record<never, never>, { spam: boolean }, Ticket>
  'POST /ticket/{id}/csat': Operation<{ id: string }, Record<never, never>, { score: number; comment?: string | undefined }, Ticket>
  'POST /ticket/{id}/macro': Operation<{ id: string }, Record<never, never>, { templateId: string; locale?: string | undefined }, Ticket>
  'POST /ticket/{id}/assign-next': Operation<{ id: string }, Record<never, never>, AssignNextTicket, Ticket>
  'POST /ticket/{id}/guest-link': Operation<{ id: string }, Record<never, never>, undefined, GuestLink>
  'DELETE /ticket/{id}/guest-link': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'GET /item/{id}/viewing': Operation<{ id: string }, Record<never, never>, undefined, Presence>
  'PUT /item/{id}/viewing': Operation<{ id: string }, Record<never, never>, { state?: "viewing" | "replying" | undefined }, Presence>
  'DELETE /item/{id}/viewing': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'GET /ticket/{id}/viewing': Operation<{ id: string }, Record<never, never>, undefined, Presence>
  'PUT /ticket/{id}/viewing': Operation<{ id: string }, Record<never, never>, { state?: "viewing" | "replying" | undefined }, Presence>
  'DELETE /ticket/{id}/viewing': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /item/{id}/merge': Operation<{ id: string }, Record<never, never>, { into: string }, Item>
  'POST /item/{id}/unmerge': Operation<{ id: string }, Record<never, never>, undefined, Item>
  'POST /item/{id}/split': Operation<{ id: string }, Record<never, never>, SplitItem2, SplitItem>
  'POST /ticket/{id}/merge': Operation<{ id: string }, Record<never, never>, { into: string }, Ticket>
  'POST /ticket/{id}/unmerge': Operation<{ id: string }, Record<never, never>, undefined, Ticket>
  'POST /ticket/{id}/split': Operation<{ id: string }, Record<never, never>, SplitItem2, SplitTicket>
  'GET /chat': Operation<Record<never, never>, ListQuery & { unread?: boolean | undefined } & Filters, undefined, ListedChatRoom[]>
  'POST /chat': Operation<Record<never, never>, Record<never, never>, NewChatRoom, ChatRoom>
  'PUT /chat': Operation<Record<never, never>, Record<never, never>, NewChatRoom, ChatRoom>
  'GET /chat/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, ChatRoom>
  'PUT /chat/{id}': Operation<{ id: string }, Record<never, never>, NewChatRoom, ChatRoom>
  'PATCH /chat/{id}': Operation<{ id: string }, Record<never, never>, NewChatRoom, ChatRoom>
  'DELETE /chat/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /chat/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, ChatRoom>
  'GET /chat/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /chat/{id}/check': Operation<{ id: string }, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'GET /chat/{id}/message': Operation<{ id: string }, ListQuery & { before?: string | undefined; after?: string | undefined } & Filters, undefined, ChatMessage[]>
  'POST /chat/{id}/message': Operation<{ id: string }, Record<never, never>, NewChatMessage, ChatMessage>
  'GET /chat/{id}/message/{messageId}': Operation<{ id: string; messageId: string }, { deleted?: "include" | undefined }, undefined, ChatMessage>
  'PUT /chat/{id}/message/{messageId}': Operation<{ id: string; messageId: string }, Record<never, never>, PutChatMessage, ChatMessage>
  'PATCH /chat/{id}/message/{messageId}': Operation<{ id: string; messageId: string }, Record<never, never>, PutChatMessage, ChatMessage>
  'DELETE /chat/{id}/message/{messageId}': Operation<{ id: string; messageId: string }, Record<never, never>, undefined, undefined>
  'PUT /chat/{id}/message/{messageId}/reaction/{emoji}': Operation<{ id: string; messageId: string; emoji: string }, Record<never, never>, undefined, ChatMessage>
  'DELETE /chat/{id}/message/{messageId}/reaction/{emoji}': Operation<{ id: string; messageId: string; emoji: string }, Record<never, never>, undefined, undefined>
  'POST /chat/{id}/message/{messageId}/to-item': Operation<{ id: string; messageId: string }, Record<never, never>, ToItemChatMessage, Item>
  'POST /chat/{id}/message/{messageId}/to-annotation': Operation<{ id: string; messageId: string }, Record<never, never>, { kind?: number | undefined }, Annotation>
  'PUT /chat/{id}/read': Operation<{ id: string }, Record<never, never>, { messageId?: string | undefined }, ChatMarker>
  'GET /chat/{id}/stream': Operation<{ id: string }, { after?: string | undefined; limit?: number | undefined }, undefined, unknown>
  'GET /watch': Operation<Record<never, never>, ListQuery & Filters, undefined, Watch[]>
  'POST /watch': Operation<Record<never, never>, Record<never, never>, NewWatch, Watch>
  'PUT /watch': Operation<Record<never, never>, Record<never, never>, NewWatch, Watch>
  'GET /watch/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Watch>
  'PUT /watch/{id}': Operation<{ id: string }, Record<never, never>, NewWatch, Watch>
  'PATCH /watch/{id}': Operation<{ id: string }, Record<never, never>, NewWatch, Watch>
  'DELETE /watch/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /watch/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, Watch>
  'GET /watch/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /watch/{id}/check': Operation<{ id: string }, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'GET /item/{id}/watchers': Operation<{ id: string }, Record<never, never>, undefined, Watcher[]>
  'GET /item/{id}/watch': Operation<{ id: string }, Record<never, never>, undefined, OwnWatch>
  'PUT /item/{id}/watch': Operation<{ id: string }, Record<never, never>, SetWatchItem, Watch>
  'DELETE /item/{id}/watch': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /content-template/preview': Operation<Record<never, never>, Record<never, never>, PreviewContentTemplate, RenderedTemplate>
  'POST /content-template/{id}/render': Operation<{ id: string }, Record<never, never>, RenderContentTemplate, RenderedTemplate>
  'GET /mail/general': Operation<Record<never, never>, Record<never, never>, undefined, MailGeneral>
  'PUT /mail/general': Operation<Record<never, never>, Record<never, never>, PutMailGeneral, MailGeneral>
  'PATCH /mail/general': Operation<Record<never, never>, Record<never, never>, PutMailGeneral, MailGeneral>
  'GET /mail/general/check': Operation<Record<never, never>, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'GET /mail/general/history': Operation<Record<never, never>, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /mail/mailbox': Operation<Record<never, never>, ListQuery & Filters, undefined, Mailbox[]>
  'POST /mail/mailbox': Operation<Record<never, never>, Record<never, never>, NewMailbox, Mailbox>
  'PUT /mail/mailbox': Operation<Record<never, never>, Record<never, never>, PutMailMailbox, Mailbox>
  'GET /mail/mailbox/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Mailbox>
  'PUT /mail/mailbox/{id}': Operation<{ id: string }, Record<never, never>, PutMailMailbox, Mailbox>
  'PATCH /mail/mailbox/{id}': Operation<{ id: string }, Record<never, never>, PutMailMailbox, Mailbox>
  'DELETE /mail/mailbox/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /mail/mailbox/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, Mailbox>
  'GET /mail/mailbox/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /mail/mailbox/{id}/check': Operation<{ id: string }, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'POST /mail/mailbox/{id}/test': Operation<{ id: string }, Record<never, never>, undefined, { ok: boolean; imap: string; smtp: string; findings: { path: string; code: string; message: string }[] }>
  'POST /mail/mailbox/{id}/send-test': Operation<{ id: string }, Record<never, never>, undefined, OutboundMail>
  'GET /mail/message': Operation<Record<never, never>, ListQuery & Filters, undefined, MailMessage[]>
  'POST /mail/message': Operation<Record<never, never>, Record<never, never>, { mailboxId: string; raw: string }, MailMessage>
  'GET /mail/quarantine': Operation<Record<never, never>, ListQuery & Filters, undefined, MailMessage[]>
  'GET /mail/message/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, MailMessage>
  'GET /mail/message/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /mail/message/{id}/raw': Operation<{ id: string }, Record<never, never>, undefined, unknown>
  'POST /mail/message/{id}/reprocess': Operation<{ id: string }, Record<never, never>, undefined, MailMessage>
  'POST /mail/message/{id}/release': Operation<{ id: string }, Record<never, never>, { trust?: boolean | undefined }, MailMessage>
  'GET /annotation/{id}/raw': Operation<{ id: string }, Record<never, never>, undefined, unknown>
  'GET /mail/outbound': Operation<Record<never, never>, ListQuery & Filters, undefined, OutboundMail[]>
  'GET /mail/outbound/dns': Operation<Record<never, never>, { domain?: string | undefined }, undefined, { domain: string; ok: boolean; spf: { ok: boolean; record: string; message: string }; dmarc: { ok: boolean; record: string; message: string }; dkim: { ok: boolean; record: string; message: string; selector?: string | undefined }[] }>
  'GET /mail/outbound/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, OutboundMail>
  'GET /mail/outbound/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'POST /mail/outbound/{id}/cancel': Operation<{ id: string }, Record<never, never>, undefined, OutboundMail>
  'POST /mail/outbound/{id}/retry': Operation<{ id: string }, Record<never, never>, undefined, OutboundMail>
  'GET /mail/suppression': Operation<Record<never, never>, ListQuery & Filters, undefined, MailSuppression[]>
  'POST /mail/suppression': Operation<Record<never, never>, Record<never, never>, NewMailSuppression, MailSuppression>
  'PUT /mail/suppression': Operation<Record<never, never>, Record<never, never>, PutMailSuppression, MailSuppression>
  'GET /mail/suppression/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, MailSuppression>
  'PUT /mail/suppression/{id}': Operation<{ id: string }, Record<never, never>, PutMailSuppression, MailSuppression>
  'PATCH /mail/suppression/{id}': Operation<{ id: string }, Record<never, never>, PutMailSuppression, MailSuppression>
  'DELETE /mail/suppression/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /mail/suppression/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, MailSuppression>
  'GET /mail/suppression/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /clock': Operation<Record<never, never>, ListQuery & Filters, undefined, Clock[]>
  'POST /clock': Operation<Record<never, never>, { recalculate?: "keep" | "open" | "all" | undefined }, NewClock, Clock>
  'PUT /clock': Operation<Record<never, never>, { recalculate?: "keep" | "open" | "all" | undefined }, PutClock, Clock>
  'GET /clock/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Clock>
  'PUT /clock/{id}': Operation<{ id: string }, { recalculate?: "keep" | "open" | "all" | undefined }, PutClock, Clock>
  'PATCH /clock/{id}': Operation<{ id: string }, { recalculate?: "keep" | "open" | "all" | undefined }, PutClock, Clock>
  'DELETE /clock/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /clock/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, Clock>
  'GET /clock/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /clock/{id}/check': Operation<{ id: string }, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'POST /clock/{id}/calc': Operation<{ id: string }, Record<never, never>, CalcClock, { from: string; to: string; minutes: number; seconds: number }>
  'GET /clock/{id}/responsible': Operation<{ id: string }, { at?: string | undefined }, undefined, ClockDuty>
  'POST /clock/{id}/preview': Operation<{ id: string }, { recalculate?: "keep" | "open" | "all" | undefined }, PutClock, ClockPreview>
  'GET /clock/{id}/recalculation': Operation<{ id: string }, Record<never, never>, undefined, ClockRecalculation>
  'POST /clock/{id}/refresh': Operation<{ id: string }, Record<never, never>, undefined, Clock>
  'GET /item/{id}/clock': Operation<{ id: string }, Record<never, never>, undefined, ItemClock[]>
  'GET /item/{id}/clock/{clockId}/explain': Operation<{ id: string; clockId: string }, Record<never, never>, undefined, ItemClockExplained[]>
  'POST /item/{id}/clock/{clockId}/pause': Operation<{ id: string; clockId: string }, Record<never, never>, { reason: string }, ItemClock[]>
  'POST /item/{id}/clock/{clockId}/resume': Operation<{ id: string; clockId: string }, Record<never, never>, { reason: string }, ItemClock[]>
  'POST /item/{id}/clock/{clockId}/stop': Operation<{ id: string; clockId: string }, Record<never, never>, { reason: string }, ItemClock[]>
  'GET /user/{id}/capacity': Operation<{ id: string }, { from?: string | undefined; to?: string | undefined }, undefined, DayCapacity[]>
  'POST /plan/schedule': Operation<Record<never, never>, Record<never, never>, SchedulePlan, Schedule>
  'GET /plan/baseline': Operation<Record<never, never>, ListQuery & Filters, undefined, Baseline[]>
  'POST /plan/baseline': Operation<Record<never, never>, Record<never, never>, NewBaseline, Baseline>
  'PUT /plan/baseline': Operation<Record<never, never>, Record<never, never>, PutPlanBaseline, Baseline>
  'GET /plan/baseline/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Baseline>
  'PUT /plan/baseline/{id}': Operation<{ id: string }, Record<never, never>, PutPlanBaseline, Baseline>
  'PATCH /plan/baseline/{id}': Operation<{ id: string }, Record<never, never>, PutPlanBaseline, Baseline>
  'DELETE /plan/baseline/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /plan/baseline/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, Baseline>
  'GET /plan/baseline/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /plan/baseline/{id}/compare': Operation<{ id: string }, { to?: string | undefined }, undefined, BaselineComparison>
  'GET /plan/portfolio': Operation<Record<never, never>, { containerIds?: string | undefined; containerId?: string | undefined; container?: string | undefined }, undefined, Portfolio>
  'GET /item-template': Operation<Record<never, never>, ListQuery & Filters, undefined, ItemTemplate[]>
  'POST /item-template': Operation<Record<never, never>, Record<never, never>, NewItemTemplate, ItemTemplate>
  'PUT /item-template': Operation<Record<never, never>, Record<never, never>, PutItemTemplate, ItemTemplate>
  'GET /item-template/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, ItemTemplate>
  'PUT /item-template/{id}': Operation<{ id: string }, Record<never, never>, PutItemTemplate, ItemTemplate>
  'PATCH /item-template/{id}': Operation<{ id: string }, Record<never, never>, PutItemTemplate, ItemTemplate>
  'DELETE /item-template/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /item-template/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, ItemTemplate>
  'GET /item-template/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /item-template/{id}/check': Operation<{ id: string }, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'POST /item-template/{id}/create': Operation<{ id: string }, Record<never, never>, CreateItemsItemTemplate, CreatedTree>
  'POST /item/{id}/template': Operation<{ id: string }, Record<never, never>, TemplateItem, ItemTemplate>
  'GET /plan/scenario': Operation<Record<never, never>, ListQuery & Filters, undefined, Scenario[]>
  'POST /plan/scenario': Operation<Record<never, never>, Record<never, never>, { name: string; description?: string | null | undefined }, Scenario>
  'PUT /plan/scenario': Operation<Record<never, never>, Record<never, never>, PutFile, Scenario>
  'GET /plan/scenario/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Scenario>
  'PUT /plan/scenario/{id}': Operation<{ id: string }, Record<never, never>, PutFile, Scenario>
  'PATCH /plan/scenario/{id}': Operation<{ id: string }, Record<never, never>, PutFile, Scenario>
  'DELETE /plan/scenario/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /plan/scenario/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, Scenario>
  'GET /plan/scenario/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /plan/scenario/{id}/change': Operation<{ id: string }, Record<never, never>, undefined, ScenarioChange[]>
  'POST /plan/scenario/{id}/change': Operation<{ id: string }, Record<never, never>, NewScenarioChange, ScenarioChange>
  'DELETE /plan/scenario/{id}/change/{recordId}': Operation<{ id: string; recordId: string }, Record<never, never>, undefined, undefined>
  'GET /plan/scenario/{id}/compare': Operation<{ id: string }, { from?: string | undefined; to?: string | undefined; bucket?: "day" | "week" | "month" | undefined }, undefined, ScenarioComparison>
  'POST /plan/scenario/{id}/merge': Operation<{ id: string }, Record<never, never>, MergePlanScenario, MergedScenario>
  'POST /plan/scenario/{id}/drop': Operation<{ id: string }, Record<never, never>, undefined, Scenario>
  'POST /plan/scenario/{id}/reopen': Operation<{ id: string }, Record<never, never>, undefined, Scenario>
  'GET /plan': Operation<Record<never, never>, ListQuery & { scenario?: string | undefined } & Filters, undefined, Plan[]>
  'POST /plan': Operation<Record<never, never>, Record<never, never>, NewPlan, Plan>
  'PUT /plan': Operation<Record<never, never>, Record<never, never>, PutPlan, Plan>
  'GET /plan/load': Operation<Record<never, never>, { from?: string | undefined; to?: string | undefined; groupBy?: "user" | "group" | "jobRole" | "container" | "crm" | undefined; bucket?: "day" | "week" | "month" | undefined; scenario?: string | undefined; userId?: string | undefined; userGroupId?: string | undefined; groupId?: string | undefined; user?: string | undefined }, undefined, LoadRow[]>
  'GET /plan/free': Operation<Record<never, never>, { from?: string | undefined; to?: string | undefined; jobRoleId?: string | undefined; skills?: string | undefined; scenario?: string | undefined; minutes?: number | undefined }, undefined, FreeUser[]>
  'GET /plan/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Plan>
  'PUT /plan/{id}': Operation<{ id: string }, Record<never, never>, PutPlan, Plan>
  'PATCH /plan/{id}': Operation<{ id: string }, Record<never, never>, PutPlan, Plan>
  'DELETE /plan/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /plan/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, Plan>
  'POST /plan/{id}/assign': Operation<{ id: string }, Record<never, never>, { userId: string }, Plan>
  'GET /plan/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /plan/{id}/check': Operation<{ id: string }, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'GET /time/leave': Operation<Record<never, never>, ListQuery & Filters, undefined, Leave[]>
  'POST /time/leave': Operation<Record<never, never>, Record<never, never>, NewLeave, Leave>
  'PUT /time/leave': Operation<Record<never, never>, Record<never, never>, PutTimeLeave, Leave>
  'GET /time/leave/balance': Operation<Record<never, never>, { userId?: string | undefined; year?: number | undefined; user?: string | undefined }, undefined, LeaveBalance[]>
  'GET /time/leave/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Leave>
  'PUT /time/leave/{id}': Operation<{ id: string }, Record<never, never>, PutTimeLeave, Leave>
  'PATCH /time/leave/{id}': Operation<{ id: string }, Record<never, never>, PutTimeLeave, Leave>
  'DELETE /time/leave/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /time/leave/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, Leave>
  'POST /time/leave/{id}/approve': Operation<{ id: string }, Record<never, never>, { comment?: string | undefined }, Leave>
  'POST /time/leave/{id}/reject': Operation<{ id: string }, Record<never, never>, { comment?: string | undefined }, Leave>
  'POST /time/leave/{id}/cancel': Operation<{ id: string }, Record<never, never>, { comment?: string | undefined }, Leave>
  'GET /time/leave/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /time/leave/{id}/check': Operation<{ id: string }, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'GET /time/leave-allowance': Operation<Record<never, never>, ListQuery & Filters, undefined, LeaveAllowance[]>
  'POST /time/leave-allowance': Operation<Record<never, never>, Record<never, never>, NewLeaveAllowance, LeaveAllowance>
  'PUT /time/leave-allowance': Operation<Record<never, never>, Record<never, never>, PutTimeLeaveAllowance, LeaveAllowance>
  'GET /time/leave-allowance/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, LeaveAllowance>
  'PUT /time/leave-allowance/{id}': Operation<{ id: string }, Record<never, never>, PutTimeLeaveAllowance, LeaveAllowance>
  'PATCH /time/leave-allowance/{id}': Operation<{ id: string }, Record<never, never>, PutTimeLeaveAllowance, LeaveAllowance>
  'DELETE /time/leave-allowance/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /time/leave-allowance/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, LeaveAllowance>
  'GET /time/leave-allowance/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /user/{id}/balance': Operation<{ id: string }, { from?: string | undefined; to?: string | undefined }, undefined, TimeBalance>
  'GET /notification': Operation<Record<never, never>, ListQuery & Filters, undefined, Notification[]>
  'POST /notification': Operation<Record<never, never>, Record<never, never>, NewNotification, Notification>
  'PUT /notification': Operation<Record<never, never>, Record<never, never>, PutNotification, Notification>
  'GET /notification/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Notification>
  'PUT /notification/{id}': Operation<{ id: string }, Record<never, never>, PutNotification, Notification>
  'PATCH /notification/{id}': Operation<{ id: string }, Record<never, never>, PutNotification, Notification>
  'DELETE /notification/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /notification/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, Notification>
  'GET /notification/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /notification/{id}/check': Operation<{ id: string }, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'POST /notification/{id}/run': Operation<{ id: string }, Record<never, never>, undefined, { runId: string; count: number }>
  'POST /notification/preview': Operation<Record<never, never>, Record<never, never>, PreviewDraftNotification, NotificationPreview>
  'POST /notification/{id}/preview': Operation<{ id: string }, Record<never, never>, undefined, NotificationPreview>
  'GET /notification/{id}/log': Operation<{ id: string }, { limit?: number | undefined; before?: string | undefined }, undefined, NotificationRun[]>
  'GET /notification/inbox': Operation<Record<never, never>, ListQuery & { archived?: "include" | "only" | undefined; snoozed?: "include" | "only" | undefined } & Filters, undefined, InboxEntry[]>
  'GET /notification/inbox/count': Operation<Record<never, never>, Record<never, never>, undefined, { unread: number }>
  'POST /notification/inbox/read': Operation<Record<never, never>, Record<never, never>, InboxReadNotification, { count: number }>
  'POST /notification/inbox/archive': Operation<Record<never, never>, Record<never, never>, InboxArchiveNotification, { count: number }>
  'POST /notification/inbox/snooze': Operation<Record<never, never>, Record<never, never>, InboxSnoozeNotification, { count: number }>
  'GET /notification/preference': Operation<Record<never, never>, Record<never, never>, undefined, NotificationPreference>
  'PUT /notification/preference': Operation<Record<never, never>, Record<never, never>, SetPreferenceNotification, NotificationPreference>
  'GET /notification/noise': Operation<Record<never, never>, { days?: number | undefined; scope?: "own" | "all" | undefined }, undefined, Noise>
  'GET /hook': Operation<Record<never, never>, ListQuery & Filters, undefined, Hook[]>
  'POST /hook': Operation<Record<never, never>, Record<never, never>, NewHook, Hook>
  'PUT /hook': Operation<Record<never, never>, Record<never, never>, PutHook, Hook>
  'GET /hook/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Hook>
  'PUT /hook/{id}': Operation<{ id: string }, Record<never, never>, PutHook, Hook>
  'PATCH /hook/{id}': Operation<{ id: string }, Record<never, never>, PutHook, Hook>
  'DELETE /hook/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /hook/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, Hook>
  'GET /hook/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /hook/{id}/check': Operation<{ id: string }, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'POST /hook/{id}/test': Operation<{ id: string }, Record<never, never>, undefined, Delivery>
  'POST /hook/{id}/rotate-secret': Operation<{ id: string }, Record<never, never>, undefined, { secret: string; formerUntil: string }>
  'POST /hook/{id}/redeliver': Operation<{ id: string }, Record<never, never>, RedeliverHook, { count: number }>
  'GET /hook/{id}/delivery': Operation<{ id: string }, ListQuery & { state?: number | undefined } & Filters, undefined, Delivery[]>
  'GET /hook/delivery/{id}': Operation<{ id: string }, Record<never, never>, undefined, Delivery>
  'POST /hook/delivery/{id}/redeliver': Operation<{ id: string }, Record<never, never>, undefined, Delivery>
  'GET /process': Operation<Record<never, never>, ListQuery & Filters, undefined, Process[]>
  'POST /process': Operation<Record<never, never>, Record<never, never>, NewProcess, Process>
  'PUT /process': Operation<Record<never, never>, { map?: string | undefined; purgeValues?: boolean | undefined }, PutProcess, Process>
  'GET /process/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Process>
  'PUT /process/{id}': Operation<{ id: string }, { map?: string | undefined; purgeValues?: boolean | undefined }, PutProcess, Process>
  'PATCH /process/{id}': Operation<{ id: string }, { map?: string | undefined; purgeValues?: boolean | undefined }, PutProcess, Process>
  'DELETE /process/{id}': Operation<{ id: string }, { replaceBy?: string | undefined; map?: string | undefined; purgeValues?: boolean | undefined }, undefined, undefined>
  'POST /process/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, Process>
  'GET /process/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /process/{id}/check': Operation<{ id: string }, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'GET /rule': Operation<Record<never, never>, ListQuery & Filters, undefined, Rule[]>
  'POST /rule': Operation<Record<never, never>, Record<never, never>, NewRule, Rule>
  'PUT /rule': Operation<Record<never, never>, Record<never, never>, PutRule, Rule>
  'GET /rule/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Rule>
  'PUT /rule/{id}': Operation<{ id: string }, Record<never, never>, PutRule, Rule>
  'PATCH /rule/{id}': Operation<{ id: string }, Record<never, never>, PutRule, Rule>
  'DELETE /rule/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /rule/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, Rule>
  'GET /rule/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /rule/{id}/check': Operation<{ id: string }, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'GET /rule/{id}/log': Operation<{ id: string }, { limit?: number | undefined; before?: string | undefined; outcome?: number | undefined }, undefined, RuleLogEntry[]>
  'GET /rule/log': Operation<Record<never, never>, { itemId?: string | undefined; limit?: number | undefined; before?: string | undefined; outcome?: number | undefined }, undefined, RuleLogEntry[]>
  'POST /rule/{id}/run': Operation<{ id: string }, Record<never, never>, { itemId: string }, RuleRun>
  'POST /rule/{id}/call-secret': Operation<{ id: string }, Record<never, never>, undefined, RuleSecret>
  'POST /rule/{id}/signing-secret': Operation<{ id: string }, Record<never, never>, undefined, RuleSecret>
  'POST /rule/dry-run': Operation<Record<never, never>, Record<never, never>, DryRunRule, RuleRehearsal>
  'GET /rule/dry-run/job': Operation<Record<never, never>, { limit?: number | undefined }, undefined, RuleDryRun[]>
  'POST /rule/dry-run/job': Operation<Record<never, never>, Record<never, never>, NewRuleDryRun, RuleDryRun>
  'GET /rule/dry-run/job/{id}': Operation<{ id: string }, Record<never, never>, undefined, RuleDryRun>
  'GET /rule/dry-run/job/{id}/result': Operation<{ id: string }, { limit?: number | undefined; after?: number | undefined; outcome?: number | undefined }, undefined, RuleDryRunResult[]>
  'POST /rule/dry-run/job/{id}/cancel': Operation<{ id: string }, Record<never, never>, undefined, RuleDryRun>
  'GET /approval': Operation<Record<never, never>, ListQuery & Filters, undefined, Approval[]>
  'POST /approval': Operation<Record<never, never>, Record<never, never>, NewApproval, Approval>
  'GET /approval/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, Approval>
  'GET /approval/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /approval/{id}/check': Operation<{ id: string }, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'POST /approval/{id}/cancel': Operation<{ id: string }, Record<never, never>, undefined, Approval>
  'POST /item/{id}/approve': Operation<{ id: string }, Record<never, never>, ApproveItem, Approval>
  'POST /item/{id}/reject': Operation<{ id: string }, Record<never, never>, ApproveItem, Approval>
  'POST /chat/{id}/to-ticket': Operation<{ id: string }, Record<never, never>, { title?: string | undefined }, Item>
  'POST /docs/article/suggest': Operation<Record<never, never>, Record<never, never>, SuggestDocsArticle, ArticleSuggestions>
  'POST /docs/article/{id}/reading': Operation<{ id: string }, Record<never, never>, ReadingDocsArticle, undefined>
  'GET /docs/doc/{id}/usage': Operation<{ id: string }, Record<never, never>, undefined, ArticleUsage>
  'GET /search': Operation<Record<never, never>, ListQuery & { q?: string | undefined; kind?: string | undefined; container?: string | undefined; archived?: "include" | undefined; containerId?: string | undefined; containerIds?: string | undefined } & Filters, undefined, Hit[]>
  'POST /insight/report/user-timesheet': Operation<Record<never, never>, Record<never, never>, { userId: string; startDate: string; endDate: string }, TimesheetRow[]>
  'GET /user/me/work': Operation<Record<never, never>, { limit?: number | undefined }, undefined, MyWork>
  'POST /insight/query': Operation<Record<never, never>, Record<never, never>, NewQueryResult, QueryResult>
  'POST /insight/report/lead-time': Operation<Record<never, never>, Record<never, never>, LeadTimeInsightReport, LeadTimeRow[]>
  'POST /insight/report/cycle-time': Operation<Record<never, never>, Record<never, never>, LeadTimeInsightReport, CycleTimeRow[]>
  'POST /insight/report/time-in-status': Operation<Record<never, never>, Record<never, never>, TimeInStatusInsightReport, TimeInStatusRow[]>
  'POST /insight/report/cumulative-flow': Operation<Record<never, never>, Record<never, never>, CumulativeFlowInsightReport, CumulativeFlowRow[]>
  'POST /insight/report/burn': Operation<Record<never, never>, Record<never, never>, BurnInsightReport, BurnRow[]>
  'POST /insight/report/backlog-age': Operation<Record<never, never>, Record<never, never>, BacklogAgeInsightReport, BacklogAgeRow[]>
  'POST /insight/report/sla-attainment': Operation<Record<never, never>, Record<never, never>, SlaAttainmentInsightReport, SlaAttainmentRow[]>
  'POST /insight/report/first-response': Operation<Record<never, never>, Record<never, never>, FirstResponseInsightReport, FirstResponseRow[]>
  'POST /insight/report/satisfaction': Operation<Record<never, never>, Record<never, never>, LeadTimeInsightReport, SatisfactionRow[]>
  'POST /insight/report/knowledge': Operation<Record<never, never>, Record<never, never>, KnowledgeInsightReport, KnowledgeRow[]>
  'POST /insight/report/team-timesheet': Operation<Record<never, never>, Record<never, never>, TeamTimesheetInsightReport, TeamTimesheetRow[]>
  'POST /insight/report/utilisation': Operation<Record<never, never>, Record<never, never>, UtilisationInsightReport, UtilisationRow[]>
  'POST /insight/report/workload': Operation<Record<never, never>, Record<never, never>, TeamTimesheetInsightReport, WorkloadRow[]>
  'POST /insight/report/plan-versus-actual': Operation<Record<never, never>, Record<never, never>, PlanVersusActualInsightReport, PlanVersusActualRow[]>
  'POST /insight/report/realisation': Operation<Record<never, never>, Record<never, never>, RealisationInsightReport, RealisationRow[]>
  'POST /insight/report/profitability': Operation<Record<never, never>, Record<never, never>, RealisationInsightReport, ProfitabilityRow[]>
  'POST /insight/report/budget': Operation<Record<never, never>, Record<never, never>, BudgetInsightReport, BudgetRow[]>
  'POST /insight/report/cost-centers': Operation<Record<never, never>, Record<never, never>, CostCentersInsightReport, CostCentersRow[]>
  'POST /insight/report/audit': Operation<Record<never, never>, Record<never, never>, AuditInsightReport, AuditRow[]>
  'GET /insight/drill/{token}': Operation<{ token: string }, ListQuery & { archived?: "include" | "only" | "true" | "false" | undefined } & Filters, undefined, Record<string, unknown>[]>
  'GET /insight/saved': Operation<Record<never, never>, ListQuery & Filters, undefined, SavedReport[]>
  'POST /insight/saved': Operation<Record<never, never>, Record<never, never>, NewSavedReport, SavedReport>
  'PUT /insight/saved': Operation<Record<never, never>, Record<never, never>, PutInsightSaved, SavedReport>
  'GET /insight/saved/{id}': Operation<{ id: string }, { deleted?: "include" | undefined }, undefined, SavedReport>
  'PUT /insight/saved/{id}': Operation<{ id: string }, Record<never, never>, PutInsightSaved, SavedReport>
  'PATCH /insight/saved/{id}': Operation<{ id: string }, Record<never, never>, PutInsightSaved, SavedReport>
  'DELETE /insight/saved/{id}': Operation<{ id: string }, Record<never, never>, undefined, undefined>
  'POST /insight/saved/{id}/restore': Operation<{ id: string }, Record<never, never>, undefined, SavedReport>
  'GET /insight/saved/{id}/history': Operation<{ id: string }, { property?: string | undefined; asOf?: string | undefined }, undefined, Event[]>
  'GET /insight/saved/{id}/check': Operation<{ id: string }, Record<never, never>, undefined, { path: string; code: string; message: string }[]>
  'GET /insight/saved/{id}/run': Operation<{ id: string }, Record<never, never>, undefined, unknown>
  'POST /insight/saved/{id}/run': Operation<{ id: string }, Record<never, never>, undefined, unknown>
  'GET /change': Operation<Record<never, never>, ListQuery & { by?: string | undefined; entity?: string | undefined; from?: string | undefined; to?: string | undefined } & Filters, undefined, ListedChange[]>
  'GET /change/{id}': Operation<{ id: string }, Record<never, never>, undefined, Change>
  'POST /change/{id}/undo': Operation<{ id: string }, { conflicts?: "refuse" | "skip" | undefined }, undefined, Undone>
  'GET /event': Operation<Record<never, never>, { after?: string | undefined; limit?: number | undefined; types?: string | undefined }, undefined, Event[]>
  'GET /event/stream': Operation<Record<never, never>, { after?: string | undefined; limit?: number | undefined; types?: string | undefined; entity?: string | undefined; recordId?: string | undefined; containerId?: string | undefined; containerIds?: string | undefined; container?: string | undefined }, undefined, unknown>
  'POST /user/bulk': Operation<Record<never, never>, { atomic?: boolean | undefined }, BulkUser, BulkRecordOutcome[]>
  'POST /label/bulk': Operation<Record<never, never>, { atomic?: boolean | undefined }, BulkLabel, BulkRecordOutcome[]>
  'POST /container/bulk': Operation<Record<never, never>, { atomic?: boolean | undefined }, BulkContainer, BulkRecordOutcome[]>
  'POST /link/bulk': Operation<Record<never, never>, { atomic?: boolean | undefined }, BulkLink, BulkRecordOutcome[]>
  'POST /annotation/bulk': Operation<Record<never, never>, { atomic?: boolean | undefined }, BulkAnnotation, BulkRecordOutcome[]>
  'GET /config/export': Operation<Record<never, never>, { members?: boolean | undefined }, undefined, Configuration>
  'POST /config/plan': Operation<Record<never, never>, Record<never, never>, { document: Configuration }, ConfigurationPlan>
  'POST /config/apply': Operation<Record<never, never>, Record<never, never>, ApplyConfig, ConfigurationApplied>
  'GET /config/me': Operation<Record<never, never>, Record<never, never>, undefined, MyConfig>
  'GET /session': Operation<Record<never, never>, Record<never, never>, undefined, SessionState>
  'GET /meta/codes': Operation<Record<never, never>, { field?: string | undefined }, undefined, { field: string; code: number; name: string; label: string; since: string; from: boolean }[]>
  'GET /meta/events': Operation<Record<never, never>, Record<never, never>, undefined, { name: string; code: number | null; entity: string; description: string }[]>
  'GET /meta/entity/{name}': Operation<{ name: string }, Record<never, never>, undefined, EntityDescription>
  'GET /meta/changelog': Operation<Record<never, never>, Record<never, never>, undefined, { version: string; text: string }[]>
  'POST /batch': Operation<Record<never, never>, Record<never, never>, NewBatchReply, BatchReply>
  'GET /portal/{slug}': Operation<{ slug: string }, Record<never, never>, undefined, PortalFront>
  'GET /portal/{slug}/form': Operation<{ slug: string }, { containerId?: string | undefined; processId?: string | undefined }, undefined, ResolvedScreen>
  'POST /portal/{slug}/suggest': Operation<{ slug: string }, Record<never, never>, SuggestDocsArticle, ArticleSuggestions>
  'GET /portal/{slug}/article/{id}': Operation<{ slug: string; id: string }, { session?: string | undefined }, undefined, PortalArticle>
  'POST /portal/{slug}/article/{id}/vote': Operation<{ slug: string; id: string }, Record<never, never>, { session: string; helped: boolean }, undefined>
  'POST /portal/{slug}/chat': Operation<{ slug: string }, Record<never, never>, NewBegunVisitorChat, BegunVisitorChat>
  'GET /portal/{slug}/chat/{token}': Operation<{ slug: string; token: string }, { after?: string | undefined; wait?: number | undefined }, undefined, VisitorChat>
  'POST /portal/{slug}/chat/{token}/message': Operation<{ slug: string; token: string }, Record<never, never>, { text: string }, VisitorMessage>
  'POST /portal/{slug}/chat/{token}/leave': Operation<{ slug: string; token: string }, Record<never, never>, { email?: unknown }, LeftVisitorChat>
  'POST /portal/{slug}/ticket': Operation<{ slug: string }, Record<never, never>, TicketPortal, FiledVisitorTicket>
  'GET /guest/{token}': Operation<{ token: string }, Record<never, never>, undefined, GuestTicket>
  'GET /guest/{token}/file/{fileId}': Operation<{ token: string; fileId: string }, Record<never, never>, undefined, unknown>
  'POST /guest/{token}/message': Operation<{ token: string }, Record<never, never>, { body: string }, ChangedGuestTicket>
  'POST /guest/{token}/close': Operation<{ token: string }, Record<never, never>, undefined, ChangedGuestTicket>
  'POST /guest/{token}/reopen': Operation<{ token: string }, Record<never, never>, undefined, ChangedGuestTicket>
  'POST /guest/{token}/csat': Operation<{ token: string }, Record<never, never>, { score: number; comment?: string | undefined }, ChangedGuestTicket>
  'GET /config': Operation<Record<never, never>, { tenant?: string | undefined }, undefined, { product: string; baseUrl: string; authentication: Record<string, unknown>; passwordPolicy: { minLength: number; maxLength: number }; locale: string; timezone: string; branding: { name: string; logoUrl: string; color: string } }>
  'GET /entra/meta': Operation<Record<never, never>, { tenant?: string | undefined }, undefined, { id: string; name: string; provider: string; entraTenantId: string; authority: string; clientId: string }[]>
  'GET /meta': Operation<Record<never, never>, Record<never, never>, undefined, { name: string; version?: string | undefined; build?: string | undefined; openapi?: string | undefined; entities?: unknown[] | undefined }>
  'GET /meta/limits': Operation<Record<never, never>, Record<never, never>, undefined, { bodyBytes: number; bodyBytesOf: Record<string, unknown>; fileBytes: number; jsonDepth: number; pageSize: number; requestsPerMinute: number; strangerMailsPerDay: number }>
  'POST /user/invitation/accept': Operation<Record<never, never>, Record<never, never>, { token: string; password: string }, undefined>
  'GET /mail/unsubscribe/{token}': Operation<{ token: string }, Record<never, never>, undefined, unknown>
  'POST /mail/unsubscribe/{token}': Operation<{ token: string }, Record<never, never>, undefined, unknown>
  'POST /rule/{id}/call/{secret}': Operation<{ id: string; secret: string }, Record<never, never>, { itemId?: string | undefined }, { accepted: boolean }>
}
