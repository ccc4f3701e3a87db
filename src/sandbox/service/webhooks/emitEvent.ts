// Lies in the store: what the relayer finishes tells of itself, too.
export { emitEvent } from '../../store/emitEvent.ts'
