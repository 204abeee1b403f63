-- Delays and weather by airport, over all rows at once.
SET 'execution.runtime-mode' = 'BATCH';
SET 'pipeline.name' = 'airport report';
SET 'parallelism.default' = '4';

CREATE TABLE flights (origin STRING, carrier STRING, delay BIGINT)
WITH ('connector' = 'datagen', 'number-of-rows' = '10000');
CREATE TABLE weather (origin STRING, wind DOUBLE)
WITH ('connector' = 'datagen', 'number-of-rows' = '500');
CREATE TABLE report (origin STRING, wind DOUBLE, flights BIGINT, delay BIGINT)
WITH ('connector' = 'print');

INSERT INTO report
SELECT f.origin, MAX(w.wind), COUNT(*), SUM(f.delay)
FROM flights f JOIN weather w ON f.origin = w.origin
WHERE f.delay > 15
GROUP BY f.origin;
