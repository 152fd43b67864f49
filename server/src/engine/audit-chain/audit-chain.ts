// The chain of hashes over the log of each tenant.
export { headsFile, readHeads } from './heads-file.ts'
export { allowForgetting, sealLog, sealTenant } from './seal-log.ts'
export { verifyChain } from './verify-chain.ts'
