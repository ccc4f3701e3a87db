import { payButtonTests } from './payButtonCases.ts'

payButtonTests('long')
