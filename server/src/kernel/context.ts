import type { Caller } from './access.ts'
import { type Id, isId, newId } from './id.ts'

/** Runs one statement of the open transaction and returns its rows. */
export type Run = <Row = Record<string, unknown>>(strings: TemplateStringsArray, ...values: unknown[]) => Promise<Row[]>

/**
 * What a layer needs from those above it. Each service is declared beside the code that asks for it (`declare module`), and
 * `app/services.ts` lists the implementations: a missing one does not compile.
 */
export interface Services {
  /** The address that people use, without a slash at its end. */
  baseUrl: string
  redaction: Redaction
  /** How many records a list without paging may hold in the caller's tenant; 0 is any number. */
  maxUnpaged: (ctx: Context) => Promise<number>
}

/** Removes hidden properties from replies; it costs nothing for callers from whom nothing is hidden. */
export interface Redaction {
  hidesAnything(caller: Caller): boolean
  /** Whether this property of a kind is hidden from the caller. */
  hides(caller: Caller, entity: string, property: string): boolean
  /** Whether it is hidden in some records at least. */
  hidesSomewhere(caller: Caller, entity: string, property: string): boolean
  /** Returns the value without hidden properties; records inside of it are recognized by `entity`. */
  redact(ctx: Context, value: unknown): Promise<unknown>
  redactText(ctx: Context, json: string): Promise<string>
  /** Returns values that are to be stored; what was hidden from the caller when they read it keeps its stored value. */
  keep<T>(caller: Caller, values: T, before: unknown): T
}

/** The caller, the time and the open transaction: the first argument of every function that reads or writes. */
export interface Context {
  readonly caller: Caller
  readonly now: Date
  readonly sql: Run
  /** The same object in every context of one transaction: the key for what is known about the transaction. */
  readonly transaction: object
  /** All changes of one request belong together: the unit of undo, audit and cause. */
  readonly changeSet: Id
  /** Each statement commits by itself: there is no transaction around them. */
  readonly single: boolean
  /** The caller wants unknown codes and properties refused (`Prefer: handling=strict`). */
  readonly strict: boolean
  readonly services: Services
  /** Runs outside of the transaction and commits by itself, for what must not be locked until the transaction ends. */
  readonly apart: <T>(work: (ctx: Context) => Promise<T>) => Promise<T>
  /** Statements across all tenants, by a role that reads a few columns and can do nothing else. */
  readonly crossTenantSql: Run
  /** The same transaction for another caller, moment or change set. */
  derive(changes: Derivation): Context
  /** Works for another tenant within this transaction, behind that tenant's row level security. Operators only. */
  actFor<T>(caller: Caller, work: (ctx: Context) => Promise<T>): Promise<T>
  /** Calls back after the transaction has committed, and never if it has not. */
  afterCommit(work: () => unknown): void
}

interface Derivation {
  caller?: Caller
  now?: Date
  changeSet?: Id
}

export interface ContextOptions {
  now?: Date
  strict?: boolean
  changeSet?: Id
  /** The operation on whose account the connection is used. */
  operation?: { readonly mode: 'read' | 'write' | 'single' } | undefined
}

/** What all contexts of one transaction share. */
export interface Transaction {
  /** The tenant whose rows its statements see and write. */
  tenant: { id: Id }
  run: Run
  crossTenantSql: Run
  services: Services
  /** Undefined if each statement commits by itself. */
  apart: Context['apart'] | undefined
  afterCommit: (() => unknown)[]
  /** The tenants for which events were written. */
  written: Set<Id>
}

/** Contexts of a database that was opened without some service fail where they ask for it. */
export function strictServices(given: Partial<Services>): Services {
  // Behind the services that are there, so that asking for one of those costs a plain property.
  const missing = new Proxy(
    {},
    {
      get(_target, name) {
        throw new Error(`the database was opened without the service ${String(name)}`)
      },
    },
  )
  return Object.assign(Object.create(missing), given)
}

/** A class, because every request makes one, and the methods are then shared. */
export class TransactionContext implements Context {
  readonly caller: Caller
  readonly now: Date
  readonly strict: boolean
  readonly transaction: Transaction
  #changeSet: Id | (() => Id) | undefined

  constructor(
    transaction: Transaction,
    caller: Caller,
    { now, strict, changeSet }: Omit<ContextOptions, 'changeSet'> & { changeSet?: Id | (() => Id) },
  ) {
    this.transaction = transaction
    this.caller = caller
    this.now = now ?? new Date()
    this.strict = strict ?? false
    this.#changeSet = changeSet
  }

  get sql(): Run {
    return this.transaction.run
  }

  get crossTenantSql(): Run {
    return this.transaction.crossTenantSql
  }

  get services(): Services {
    return this.transaction.services
  }

  get single(): boolean {
    return this.transaction.apart === undefined
  }

  get apart(): Context['apart'] {
    return this.transaction.apart ?? (work => work(this))
  }

  /** Only code that writes an event reads this, so it also marks the tenant as written. */
  get changeSet(): Id {
    this.transaction.written.add(this.caller.tenantId)
    if (typeof this.#changeSet === 'function') this.#changeSet = this.#changeSet()
    this.#changeSet ??= newId()
    return this.#changeSet
  }

  derive({ caller = this.caller, now = this.now, changeSet }: Derivation): Context {
    return new TransactionContext(this.transaction, caller, {
      now,
      strict: this.strict,
      changeSet: changeSet ?? (() => this.changeSet),
    })
  }

  afterCommit(work: () => unknown): void {
    this.transaction.afterCommit.push(work)
  }

  async actFor<T>(caller: Caller, work: (ctx: Context) => Promise<T>): Promise<T> {
    if (this.single) throw new Error('acting for another tenant needs a transaction')
    const setTenant = (tenantId: Id) => {
      this.transaction.tenant.id = tenantId
      return this.sql`select set_config('app.tenant', ${tenantId}, true)`
    }
    await setTenant(tenantLiteral(caller))
    try {
      return await work(this.derive({ caller }))
    } finally {
      await setTenant(this.caller.tenantId).catch(() => {}) // a failed transaction has lost its settings anyway
    }
  }
}

/** The only value that becomes part of the text of a statement, because `set` takes no bound values. */
export function tenantLiteral({ tenantId }: Caller): string {
  if (!isId(tenantId)) throw new Error('a caller without a tenant')
  return tenantId
}
