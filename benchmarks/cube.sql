-- The cube of thirty grouping sets as one would write it by hand, in two stages: first the finest cells
-- with sum, count and the two largest, then all coarser ones from those. `codes` maps finest codes to
-- what they belong to, level by level.
CREATE OR REPLACE TEMP TABLE leaves AS
SELECT region, sector, size, sum(turnover) AS total, count(*) AS number, max(turnover, 2) AS top
FROM records
GROUP BY region, sector, size;

CREATE OR REPLACE TEMP TABLE cube AS
SELECT r1, r2, r3, r4, s1, s2, z1,
       sum(total) AS total, sum(number) AS number,
       list_slice(list_reverse_sort(list_concat(max(top[1], 2), max(top[2], 2))), 1, 2) AS top
FROM leaves
JOIN regions ON region = r1
JOIN sectors ON sector = s1
JOIN sizes ON size = z1
GROUP BY
    GROUPING SETS ((r1, r2, r3, r4), (r2, r3, r4), (r3, r4), (r4), ()),
    GROUPING SETS ((s1, s2), (s2), ()),
    GROUPING SETS ((z1), ());
