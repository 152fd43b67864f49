import * as documentCopy from '../../documents/document/copy-document.ts'
import * as document from '../../documents/document/document.ts'
import * as documentContent from '../../documents/document/document-content.ts'
import * as documentLinks from '../../documents/document/document-links.ts'
import * as documentVersion from '../../documents/document/version/document-version.ts'
import * as documentExport from '../../documents/export/export.ts'
import * as file from '../../documents/file/file.ts'
import { uploadRoutes } from '../../documents/file/upload/tus-operations.ts'
import * as folder from '../../documents/folder.ts'
import { migrationRoutes } from '../../documents/storage/migration/migration.ts'
import * as outboundStorage from '../../documents/storage/storage-operations.ts'
import { usageRoutes } from '../../documents/storage/storage-usage.ts'
import type { Routes } from '../../kernel/operation.ts'

/** Documents, folders, files and where their bytes lie. */
export const documentsRoutes: Routes = {
  ...document.routes,
  ...documentCopy.routes,
  ...documentContent.routes,
  ...documentVersion.routes,
  ...documentLinks.routes,
  ...documentExport.routes,
  ...folder.routes,
  ...file.routes,
  ...uploadRoutes,
  ...usageRoutes,
  ...outboundStorage.routes,
  ...migrationRoutes,
}
