import * as z from 'zod/mini'
import { blockchains } from '../core/blockchains.ts'

/** A blockchain's name (PROTOCOL.md 11.2); `user` stands for a customer without a chain. */
export const blockchain = z.enum(blockchains)
export type { Blockchain } from '../core/blockchains.ts'
