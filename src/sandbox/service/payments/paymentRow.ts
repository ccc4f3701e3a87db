import type { payments } from '../../store/tables/index.ts'

/** A payment as the database has it. */
export type PaymentRow = typeof payments.$inferSelect
