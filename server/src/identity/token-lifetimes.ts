const minute = 60
const day = 24 * 60 * minute

/** For how long each thing that the authorisation server issues is valid; seconds. */
export const lifetimes = {
  accessToken: 10 * minute,
  idToken: 10 * minute,
  authorizationCode: minute,
  deviceCode: 10 * minute,
  interaction: 60 * minute,
  session: 14 * day,
  /** A program signed in for a month without use, or a year in all, signs in again. */
  unusedRefreshToken: 30 * day,
  grant: 365 * day,
} as const

/**
 * The longest time for which a signature may still be verified; seconds. An ID token outlives its own end: as a hint at
 * sign-out it is accepted for as long as the session in which it was issued.
 */
export const maxSignatureLifetime = Math.max(lifetimes.accessToken, lifetimes.idToken, lifetimes.session)
