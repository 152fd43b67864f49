import { formatDecimal, roundTo, unitsOf } from '../../language/decimal.ts'
import { type Content, element, xmlDocument } from '../../language/xml.ts'
import type { BillingParty } from './billing-party.ts'
import { type Invoice, type InvoiceLine, invoiceKind } from './invoice-record.ts'

// UBL 2.1 with the terms of EN 16931, whose numbers (BT) are beside them.

const urn = 'urn:oasis:names:specification:ubl:schema:xsd:'
const cac = (name: string, content: Content | undefined) => element(`cac:${name}`, content)
const cbc = (name: string, content: string | undefined, attributes = {}) => element(`cbc:${name}`, content, attributes)

/** Writes an issued document; `credited` is the number of the invoice that it credits. */
export function ublOf(invoice: Invoice, credited: string): string {
  const isCredit = invoice.kind === invoiceKind.creditNote
  const root = isCredit ? 'CreditNote' : 'Invoice'
  const money = (name: string, amount: string) => cbc(name, amount, { currencyID: invoice.currency })
  const tax = formatDecimal(
    invoice.taxes.reduce((sum, each) => sum + unitsOf(each.tax), 0n),
    decimals(invoice.net),
  )
  const content = [
    cbc('UBLVersionID', '2.1'),
    cbc('CustomizationID', 'urn:cen.eu:en16931:2017'), // BT-24
    cbc('ID', invoice.number), // BT-1
    cbc('IssueDate', invoice.date ?? ''), // BT-2
    isCredit ? undefined : cbc('DueDate', invoice.dueDate ?? ''), // BT-9
    isCredit ? cbc('CreditNoteTypeCode', '381') : cbc('InvoiceTypeCode', '380'), // BT-3
    cbc('Note', invoice.note), // BT-22
    cbc('DocumentCurrencyCode', invoice.currency), // BT-5
    cbc('BuyerReference', invoice.reference), // BT-10
    cac('InvoicePeriod', [cbc('StartDate', invoice.from ?? ''), cbc('EndDate', invoice.to ?? '')]), // BT-73, 74
    cac('BillingReference', [cac('InvoiceDocumentReference', [cbc('ID', credited)])]), // BT-25
    cac('AccountingSupplierParty', [party(invoice.seller)]), // BT-27, 31, 35–40
    cac('AccountingCustomerParty', [party(invoice.buyer)]), // BT-44, 48, 50–55
    // BT-81, 84
    cac('PaymentMeans', [
      cbc('PaymentMeansCode', invoice.seller.iban ? '58' : '1'),
      cac('PayeeFinancialAccount', [cbc('ID', invoice.seller.iban)]),
    ]),
    cac('PaymentTerms', [cbc('Note', isCredit ? '' : `Due ${invoice.dueDate ?? ''}`)]), // BT-20
    cac('TaxTotal', [
      money('TaxAmount', tax), // BT-110
      ...invoice.taxes.map(each =>
        cac('TaxSubtotal', [
          money('TaxableAmount', each.net), // BT-116
          money('TaxAmount', each.tax), // BT-117
          taxCategory('TaxCategory', each.category, each.rate), // BT-118, 119
        ]),
      ),
    ]),
    cac('LegalMonetaryTotal', [
      money('LineExtensionAmount', invoice.net), // BT-106
      money('TaxExclusiveAmount', invoice.net), // BT-109
      money('TaxInclusiveAmount', invoice.gross), // BT-112
      money('PayableAmount', invoice.gross), // BT-115
    ]),
    ...invoice.lines.map((each, i) => lineOf(each, i, isCredit, money)),
  ]
  const made = element(root, content, {
    xmlns: `${urn}${root}-2`,
    'xmlns:cac': `${urn}CommonAggregateComponents-2`,
    'xmlns:cbc': `${urn}CommonBasicComponents-2`,
  })
  if (!made) throw new Error('a document without content')
  return xmlDocument(made)
}

const decimals = (amount: string) => amount.split('.')[1]?.length ?? 0

/** The category, and the rate without more decimals than it needs. */
function taxCategory(name: string, category: string, rate: string) {
  const percent = formatDecimal(roundTo(unitsOf(rate), 2), 2)
  return cac(name, [
    cbc('ID', category),
    category === 'O' ? undefined : cbc('Percent', percent),
    cac('TaxScheme', [cbc('ID', 'VAT')]),
  ])
}

function party({ name = '', street = '', city = '', zipcode = '', country = '', taxId = '' }: Partial<BillingParty>) {
  return cac('Party', [
    cac('PostalAddress', [
      cbc('StreetName', street),
      cbc('CityName', city),
      cbc('PostalZone', zipcode),
      cac('Country', [cbc('IdentificationCode', country)]),
    ]),
    taxId === '' ? undefined : cac('PartyTaxScheme', [cbc('CompanyID', taxId), cac('TaxScheme', [cbc('ID', 'VAT')])]),
    cac('PartyLegalEntity', [cbc('RegistrationName', name)]),
  ])
}

function lineOf(
  {
    text = '',
    quantity = '',
    unit = '',
    price = '',
    amount = '',
    taxCategory: category = '',
    taxRate = '0',
  }: Partial<InvoiceLine>,
  index: number,
  isCredit: boolean,
  money: (name: string, amount: string) => ReturnType<typeof element>,
) {
  return cac(isCredit ? 'CreditNoteLine' : 'InvoiceLine', [
    cbc('ID', String(index + 1)), // BT-126
    cbc(isCredit ? 'CreditedQuantity' : 'InvoicedQuantity', quantity, { unitCode: unit }), // BT-129, 130
    money('LineExtensionAmount', amount), // BT-131
    cac('Item', [cbc('Name', text || '-'), taxCategory('ClassifiedTaxCategory', category, taxRate)]), // BT-153, 151, 152
    cac('Price', [money('PriceAmount', price)]), // BT-146
  ])
}
