/** The reports, in the order of their page. */
export const reports = [
  {
    to: '/reports/stock-gaps',
    name: 'Stock gaps',
    question: 'What runs out before goods arrive, and what is the cheapest cure?',
  },
  {
    to: '/reports/arrivals',
    name: 'Arrivals',
    question: 'Which orders and transfers arrive on which day?',
  },
  {
    to: '/reports/sales-velocity',
    name: 'Sales velocity',
    question: 'What sells fastest, and how many days will stock last?',
  },
  {
    to: '/reports/forecast-accuracy',
    name: 'Forecast accuracy',
    question: 'How wrong were last month’s forecasts?',
  },
  {
    to: '/reports/abc',
    name: 'ABC classes',
    question: 'Which products bring in most of your revenue?',
  },
  {
    to: '/reports/dead-stock',
    name: 'Dead stock',
    question: 'Which products don’t sell, and what are they worth?',
  },
  {
    to: '/reports/overstock',
    name: 'Overstock',
    question: 'How much money is in stock that lasts too long, and what can you do?',
  },
  {
    to: '/reports/lost-sales',
    name: 'Lost sales',
    question: 'What did you not sell because it was out of stock?',
  },
  {
    to: '/reports/inventory-value',
    name: 'Inventory value',
    question: 'What is stock worth at each location, and how has that changed?',
  },
  {
    to: '/reports/margin',
    name: 'Margin',
    question: 'What did your products earn after what they cost?',
  },
  {
    to: '/reports/price-history',
    name: 'Price history',
    question: 'What did you pay for your products, and how did that change?',
  },
  {
    to: '/reports/commitments',
    name: 'Open commitments',
    question: 'What will orders still cost, and when?',
  },
  {
    to: '/reports/open-to-buy',
    name: 'Open to buy',
    question: 'What did you order and receive by month, and what will you need?',
  },
  {
    to: '/reports/procurement-spend',
    name: 'Procurement spend',
    question: 'How much did you spend, by supplier and by month?',
  },
  {
    to: '/reports/supplier-performance',
    name: 'Supplier performance',
    question: 'Which suppliers deliver on time, in full and at a steady price?',
  },
  {
    to: '/reports/adjustments',
    name: 'Adjustments',
    question: 'Which stock did people set, adjust or count, and why?',
  },
  {
    to: '/reports/adjustment-reasons',
    name: 'Reasons for changes',
    question: 'How many pieces were damaged, lost or found?',
  },
  {
    to: '/reports/count-accuracy',
    name: 'Count accuracy',
    question: 'How often is the recorded stock right, by location?',
  },
] as const
