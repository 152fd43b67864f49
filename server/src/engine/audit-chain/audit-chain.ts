// The chain of hashes over the log of each tenant.
export { headsFile, type KnownSeal, readHeads } from './heads-file.ts'
export { allowForgetting, sealLog, sealTenant } from './seal-log.ts'
export { type ChainReport, verifyChain } from './verify-chain.ts'
