export type { ObjectContent, ObjectStore } from './objects.ts'
export { openS3 } from './s3-store.ts'
export { StoreFailure, type StoreFault } from './store-failure.ts'
