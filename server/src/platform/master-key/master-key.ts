// The master key of the installation, the older ones beside it during a rotation, and values that are sealed with them.
export { dropOldKeys, type KeyRing, openKeyRing, prependKey, WrongMasterKey } from './key-ring.ts'
export { isSealedWith, openValue, sealValue, UnsealFailed } from './sealed-value.ts'
