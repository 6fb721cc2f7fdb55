! Numbers of closed form through the Fortran module, and errors as texts.
program closed_form
    use bristle
    implicit none
    character(*), parameter :: nul = c_null_char
    character(*), parameter :: file = 'law = "dahl"' // new_line('a') // 'sigma_0 = "10 1/mm"' // new_line('a') // 'mu_k = 0.2'
    character(len=24), target :: names(2)
    type(c_ptr) :: law, pointers(2)
    integer(c_size_t) :: states
    integer :: failures = 0
    real(c_double), target :: z(2), znew(2), force(2), zdot(2), v(2), tangent(2, 2), jacobian(8, 4)
    real(c_double) :: value, decay, length

    names(1) = 'bristle_stiffness' // nul
    names(2) = 'kinetic_coefficient' // nul
    pointers = [c_loc(names(1)), c_loc(names(2))]
    call expect(bristle_law_new('dahl' // nul, pointers, [1d4, 0.2d0], 2_c_size_t, law) == bristle_ok, 'new')
    call expect(bristle_law_states(law, 2, states) == bristle_ok .and. states == 2, 'states')

    ! along a line in the plane z relaxes to mu/sigma, and F = N sigma z
    v = [3d-3, 4d-3]
    z = 0
    call expect(bristle_update(law, 2, 1d-2, v, 10d0, v, 10d0, z, znew, force, c_loc(tangent), c_null_ptr, &
        c_null_ptr, c_null_ptr) == bristle_ok, 'update')
    decay = exp(-1d4 * 5d-3 * 1d-2 / 0.2d0)
    length = 2d-5 * (1 - decay)
    call expect(all(abs(znew - length * [0.6d0, 0.8d0]) < 1d-18), 'state')
    call expect(all(abs(force - 1d5 * length * [0.6d0, 0.8d0]) < 1d-13), 'force')
    ! across the motion the force turns with the velocity: dF/dv = F/v
    call expect(abs(dot_product([-0.8d0, 0.6d0], matmul(tangent, [-0.8d0, 0.6d0])) - 1d5 * length / 5d-3) < 1d-9, 'tangent')
    call expect(bristle_update_jacobian(law, 2, 1d-2, v, 10d0, v, 10d0, z, znew, force, jacobian) == bristle_ok, 'jacobian')
    call expect(abs(jacobian(7, 3) - decay) < 1d-14 .and. abs(jacobian(8, 4) - decay) < 1d-14, 'dz/dz')
    call expect(bristle_rates(law, 2, v, 10d0, z, force, zdot, c_null_ptr, c_null_ptr, c_null_ptr, c_null_ptr, &
        c_null_ptr, c_null_ptr) == bristle_ok, 'rates')
    call expect(all(zdot == v) .and. all(force == 0), 'rates from rest')
    call bristle_law_free(law)

    call expect(bristle_law_from_toml(file, len(file, c_size_t), law) == bristle_ok, 'from_toml')
    call expect(bristle_law_value(law, 'bristle_stiffness' // nul, value) == bristle_ok .and. value == 1d4, 'value')
    call expect(bristle_rates(law, 4, v, 10d0, z, force, zdot, c_null_ptr, c_null_ptr, c_null_ptr, c_null_ptr, &
        c_null_ptr, c_null_ptr) == bristle_argument, 'dim')
    call expect(index(bristle_message(), 'dim = 4') == 1, 'message')
    call bristle_law_free(law)
    call expect(bristle_law_new('dal' // nul, pointers, [1d4, 0.2d0], 0_c_size_t, law) == bristle_unknown_name, 'unknown')
    if (failures == 0) print '(a)', 'all well'
    if (failures > 0) stop 1

contains

    subroutine expect(holds, what)
        logical, intent(in) :: holds
        character(*), intent(in) :: what
        if (holds) return
        print '(4a)', what, ' (', bristle_message(), ')'
        failures = failures + 1
    end subroutine
end program
