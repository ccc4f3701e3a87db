import type { Judge } from './rule.ts'

/** Every trace rule. */
export const traceJudges: readonly Judge[] = []
