/** How the forecast continues the past; of several models that it mixes, the one with the largest weight. */
export const modelWords = {
  naive: 'The forecast continues the last week',
  seasonal_naive: 'The forecast repeats last year',
  recent_mean: 'The forecast continues the average of the last weeks',
  moving_average: 'The forecast continues the average of the last months',
  mean: 'The forecast continues the average of the last year',
  long_mean: 'The forecast continues the average of the last two years',
  exponential_smoothing: 'The forecast continues an average in which later weeks count more',
  croston: 'The forecast continues the average of irregular sales',
  damped_holt: 'The forecast continues the trend',
  seasonal_mean: 'The forecast continues the average sales and follows the season',
  seasonal_smoothing:
    'The forecast continues an average in which later weeks count more, and follows the season',
  seasonal_holt: 'The forecast continues the trend and follows the season',
}

export const modelWordsOf = (model: string): string | undefined =>
  (modelWords as Record<string, string>)[model]
