import type { Route } from '../http/route.ts'
import { clock, clockMove } from './clock.ts'
import { fault, faultClear, faultList } from './fault.ts'
import { log } from './log.ts'

/** What a developer does in the place of the world (PROTOCOL.md 2.10). */
export const sandboxRoutes: readonly Route[] = [clock, clockMove, fault, faultList, faultClear, log]
