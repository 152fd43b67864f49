/** The answer of the service to a request of a test. */
export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers as a person would
  body: any
  headers: Headers
}
