import type { Route } from '../http/route.ts'
import { chainList } from './chainList.ts'
import { redeemList } from './redeemList.ts'
import { redeemReport } from './redeemReport.ts'
import { simulate } from './simulate.ts'

/** What a developer sees of chains and redeems (PROTOCOL.md 2.10). */
export const reportRoutes: readonly Route[] = [chainList, redeemList, redeemReport, simulate]
