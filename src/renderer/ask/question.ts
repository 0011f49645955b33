/** In characters; the contract takes no more. */
export const longestQuestion = 20_000
