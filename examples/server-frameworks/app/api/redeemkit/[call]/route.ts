import { calls } from '../../../../calls.ts'

export { calls as GET, calls as POST }
