import { Type } from 'typebox'
import {
  type Caller,
  contributors,
  demand,
  everyone,
  isMember,
  members,
  ownerCode,
  type Permission,
  type Place,
  seesEverything,
} from '../../kernel/access.ts'
import type { Context } from '../../kernel/database.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { get, history, list, type Operation, type Routes, remove, restore, update } from '../../kernel/operation.ts'
import type { Owned } from '../../kernel/owner.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import { type Expect, resource, type Stored, type Values } from '../../kernel/resource.ts'
import { or, raw, type Sql, sql } from '../../kernel/sql.ts'
import { Code, Name, Text } from '../../kernel/values.ts'
import { ownerSeen } from '../visibility.ts'
