import { payButtonTests } from './payButtonCases.ts'

payButtonTests('quick')
