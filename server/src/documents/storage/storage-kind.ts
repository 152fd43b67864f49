/** The codes of `kind` of a storage. */
export const storageKind = { local: 0, s3: 1 } as const

/** The codes of `encryption` of a storage. */
export const storageEncryption = { ofBucket: 0, aes256: 1 } as const
