import type { Routes } from '../../kernel/operation.ts'
import { drillRoutes } from './drill.ts'
import type { Report } from './report.ts'

const reports: readonly Report[] = []

export const routes: Routes = { ...drillRoutes(reports) }
