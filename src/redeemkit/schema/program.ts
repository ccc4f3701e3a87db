import * as z from 'zod/mini'
import { blockchain } from './blockchain.ts'
import { anyAddress, selector } from './values.ts'

/** Body of `POST /api/merchant/program` (PROTOCOL.md 2.7): asks for a place on the whitelist. */
export const programBody = z.strictObject({
  blockchain,
  /** Contract or program. */
  programId: anyAddress,
  /** 4 bytes; any selector of the contract when absent. */
  selector: z.optional(selector),
})
export type ProgramBody = z.infer<typeof programBody>
