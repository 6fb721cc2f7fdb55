% The MEX file against closed forms, with trial steps, states that are saved and restored, and what it refuses.
1;
function fails(id, code, law = 0)
  try
    eval(code);
  catch problem
    assert(strcmp(problem.identifier, id), [code ': ' problem.identifier ': ' problem.message]);
    return
  end
  error(['not refused: ' code]);
end

text = sprintf('law = "dahl"\nsigma_0 = "10 1/mm"\nmu_k = 0.2\n');
law = bristle_mex('new', text);
assert(bristle_mex('states', law, 2) == 2);
z = bristle_mex('start', law, [0 0], 10);
assert(isequal(z, [0; 0]));
for i = 1:50
  bristle_mex('update', law, 7e-3, [-1; 2], 3, [-1; 2], 3, z);   % a trial that is rejected
  [F, z] = bristle_mex('update', law, 1e-3, [3e-3; 4e-3], 10, [3e-3; 4e-3], 10, z);
  deflection = 2e-5 * (1 - exp(-1e4 * 5e-6 * i / 0.2));
  assert(norm(z - deflection * [0.6; 0.8]) < 1e-17);
  assert(norm(F - 1e5 * deflection * [0.6; 0.8]) < 1e-12);
  if i == 20
    file = [tempname() '.mat'];
    save('-binary', file, 'z');
  end
end
last = z;
load(file);
delete(file);
for i = 21:50
  [F, z] = bristle_mex('update', law, 1e-3, [3e-3; 4e-3], 10, [3e-3; 4e-3], 10, z);
end
assert(isequal(z, last));   % the same bits

% derivatives against central differences
at = [1e-3 2e-3 9 1.5e-3 1e-3 10 4e-6 -2e-6]';
step = @(x) bristle_mex('update', law, 1e-3, x(1:2), x(3), x(4:5), x(6), x(7:8));
[F, z, J] = bristle_mex('update', law, 1e-3, at(1:2), at(3), at(4:5), at(6), at(7:8));
assert(isequal(size(J), [4 8]));
order = [1 2 4 5 3 6 7 8];   % J has v_mean, v, N_mean, N, z
for k = 1:8
  h = zeros(8, 1);
  h(order(k)) = 1e-6 * max(abs(at(order(k))), 1e-3);
  difference = (step(at + h) - step(at - h)) / (2 * sum(h));
  assert(norm(J(1:2, k) - difference) <= 1e-5 * (norm(J(1:2, k)) + 1), sprintf('column %d', k));
end
[F, zdot, A] = bristle_mex('rates', law, 2e-3, 10, 1e-5);
assert(abs(F - 1) < 1e-14 && abs(zdot - (2e-3 - 1e4 * 2e-3 * 1e-5 / 0.2)) < 1e-18);
assert(abs(A(1, 3) - 1e5) < 1e-9 && abs(A(1, 2) - 0.1) < 1e-15 && abs(A(2, 1) - 0.5) < 1e-14);

t = (0:10)' * 1e-3;
F = bristle_mex('drive', law, t, 1e-3 * ones(11, 1), 10 * ones(11, 1));
assert(norm(F - 2 * (1 - exp(-50 * t))) < 1e-11);
F = bristle_mex('drive', law, t, 1e-3 * [0.6 * ones(11, 1), 0.8 * ones(11, 1)], 10 * ones(11, 1));
assert(norm(F - 2 * (1 - exp(-50 * t)) * [0.6 0.8]) < 1e-11);
assert(abs(bristle_mex('steady', law, 0.1, 10) - 2) < 1e-14);
assert(! isempty(strfind(bristle_mex('card', law), 'bristle_stiffness')));

fails('bristle:refused', 'bristle_mex("new", "law = ''dall''")');
fails('bristle:usage', 'bristle_mex("new")');
fails('bristle:usage', 'bristle_mex("nought")');
fails('bristle:usage', 'bristle_mex("steady", 99, 1, 1)');
fails('bristle:size', 'bristle_mex("update", law, 1e-3, 1e-3, 1, 1e-3, 1, [0 0])', law);
fails('bristle:size', 'bristle_mex("rates", law, single(1), 1, 0)', law);
fails('bristle:refused', 'bristle_mex("rates", law, NaN, 1, 0)', law);
fails('bristle:refused', 'bristle_mex("update", law, -1, 1e-3, 1, 1e-3, 1, 0)', law);
bristle_mex('free', law);
fails('bristle:usage', 'bristle_mex("steady", law, 1, 1)', law);
disp('all well');
