import * as z from 'zod/mini'
import { blockchains } from '../core/blockchains.ts'

/** A blockchain's name (document 1, section 2.2); `user` names a customer without a chain. */
export const blockchain = z.enum(blockchains)
export type { Blockchain } from '../core/blockchains.ts'
