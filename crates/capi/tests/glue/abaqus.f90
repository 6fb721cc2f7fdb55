! Calls FRIC and VFRIC as the manuals of Abaqus say: trial iterations, increments that are rejected, points that open, surface
! directions that turn, several threads. The law is Dahl's: on a straight path F = N sigma z with
! z = mu/sigma + (z0 - mu/sigma) exp(-sigma s/mu) over a slip s.
module host
    implicit none
    character(256) :: folder
    character(500) :: last_message = ' '
    integer :: worst = 0
end module

subroutine getoutdir(name, length)
    use host
    character(*), intent(out) :: name
    integer, intent(out) :: length
    name = folder
    length = len_trim(folder)
end subroutine

subroutine vgetoutdir(name, length)
    character(*), intent(out) :: name
    integer, intent(out) :: length
    call getoutdir(name, length)
end subroutine

subroutine stdb_abqerr(level, text, intv, realv, charv)
    use host
    integer, intent(in) :: level, intv(*)
    character(*), intent(in) :: text, charv(*)
    real(8), intent(in) :: realv(*)
    last_message = text
    worst = level
end subroutine

subroutine xplb_abqerr(level, text, intv, realv, charv)
    integer, intent(in) :: level, intv(*)
    character(*), intent(in) :: text, charv(*)
    real(8), intent(in) :: realv(*)
    call stdb_abqerr(level, text, intv, realv, charv)
end subroutine

program abaqus
    use host
    implicit none
    real(8), parameter :: sigma = 1d4, mu = 0.2d0, dt = 1d-3
    type point
        integer :: lm = 0
        real(8) :: tau(2) = 0, ddtddg(2, 2) = 0, ddtddp(2) = 0, sed = 0, sfd = 0, pnewdt = 1, statev(2) = 0
    end type
    real(8) :: level
    integer :: failures = 0

    call get_command_argument(1, folder)
    call file('dahl.toml', ['law = "dahl"          ', 'sigma_0 = "10 1/mm"   ', 'mu_k = 0.2            '])
    call file('bristle-laws.txt', ['dahl.toml   ', '            ', 'missing.toml'])
    call start()
    call expect(worst == -3 .and. index(last_message, 'missing.toml') > 0, 'a file that is not there')
    call file('bristle-laws.txt', ['dahl.toml'])
    worst = 0
    call start()
    call expect(worst == 0, 'start: ' // trim(last_message))

    call line()
    call tangents()
    call opened_and_turned()
    call threads()
    call refusals()
    call explicit()
    if (failures == 0) print '(a)', 'all well'
    if (failures > 0) stop 1

contains

    subroutine expect(holds, what)
        logical, intent(in) :: holds
        character(*), intent(in) :: what
        if (holds) return
        print '(2a)', 'fails: ', what
        failures = failures + 1
    end subroutine

    subroutine file(name, lines)
        character(*), intent(in) :: name, lines(:)
        integer :: unit, i
        open (newunit=unit, file=trim(folder) // '/' // name, status='replace', action='write')
        do i = 1, size(lines)
            write (unit, '(a)') trim(lines(i))
        end do
        close (unit)
    end subroutine

    subroutine start()
        call uexternaldb(0, 0, [0d0, 0d0], 0d0, 0, 0)
    end subroutine

    ! a call of FRIC for the plane, with a pressure that has grown by dp in the increment
    subroutine call_fric(own, dgam, step, p, dp, drot, law)
        type(point), intent(inout) :: own
        real(8), intent(in) :: dgam(2), step, p, dp
        real(8), intent(in), optional :: drot(2, 2)
        integer, intent(in), optional :: law
        real(8) :: dslip(2), ddtddt(2, 2), turn(2, 2), slip(2), props(1)
        turn = reshape([1d0, 0d0, 0d0, 1d0], [2, 2])
        if (present(drot)) turn = drot
        props = 1
        if (present(law)) props = law
        slip = 0
        call fric(own%lm, own%tau, own%ddtddg, own%ddtddp, dslip, own%sed, own%sfd, ddtddt, own%pnewdt, own%statev, &
            dgam, own%tau, p, dp, 0d0, slip, 1, 1, [0d0, 0d0], step, 1, 'PAIR', 'A', 'B', 1, 1, 0, [0d0, 0d0], [0d0, 0d0], &
            turn, [0d0, 0d0], reshape([0d0, 0d0], [2, 1]), 2, 2, 0, 2, 1d0, props, 1)
    end subroutine

    real(8) function deflection(slip)
        real(8), intent(in) :: slip
        deflection = mu / sigma * (1 - exp(-sigma * slip / mu))
    end function

    ! iterations try other slips from the same states; an increment is rejected and done in two
    subroutine line()
        type(point) :: own, trial
        real(8) :: slip, p, along(2), work, energy
        integer :: i, k
        along = [0.6d0, -0.8d0]
        p = 5d6
        slip = 0
        do i = 1, 40
            do k = 1, 4
                trial = own
                call call_fric(trial, along * 1d-6 * (k - 2.3d0), dt, p, 0d0)
            end do
            trial = own
            call call_fric(trial, along * 4d-6, 2 * dt, p, 0d0)
            energy = own%sed
            call call_fric(own, along * 1d-6, dt, p, 0d0)
            slip = slip + 1d-6
            level = p * sigma * deflection(slip)
            call expect(all(abs(own%tau - level * along) < 1d-9 * level), 'force on a line')
            call expect(own%lm == 0 .and. own%pnewdt == 1, 'flags')
            work = dot_product(own%tau, along * 1d-6)
            call expect(abs(work - own%sfd - (own%sed - energy)) < 1d-12 * p, 'energies')
            call expect(abs(own%sed - 0.5d0 * p * sigma * deflection(slip)**2) < 1d-9 * p * 1d-5, 'stored energy')
        end do
    end subroutine

    ! DDTDDG and DDTDDP are exact: against central differences of FRIC, whose error is of the order of the square of a step
    subroutine tangents()
        type(point) :: from, own, up, down
        real(8) :: dgam(2), p, dp, h
        integer :: j
        call call_fric(from, [3d-6, 1d-6], dt, 4d6, 4d6)
        dgam = [-2d-6, 4d-6]
        p = 5d6
        dp = 1d6
        own = from
        call call_fric(own, dgam, dt, p, dp)
        do j = 1, 2
            h = 1d-10
            up = from
            down = from
            call call_fric(up, dgam + h * merge(1, 0, [1, 2] == j), dt, p, dp)
            call call_fric(down, dgam - h * merge(1, 0, [1, 2] == j), dt, p, dp)
            call expect(all(abs(own%ddtddg(:, j) - (up%tau - down%tau) / (2 * h)) < 1d-6 * p * sigma), 'DDTDDG')
        end do
        up = from
        down = from
        call call_fric(up, dgam, dt, p + 1d2, dp + 1d2)
        call call_fric(down, dgam, dt, p - 1d2, dp - 1d2)
        call expect(all(abs(own%ddtddp - (up%tau - down%tau) / 2d2) < 1d-8), 'DDTDDP')
        ! the tractions of this law are in proportion to the pressure at the end
        call expect(all(abs(own%ddtddp - own%tau / p) < 1d-12), 'DDTDDP in closed form')
    end subroutine

    subroutine opened_and_turned()
        type(point) :: own, turned
        real(8) :: quarter(2, 2)
        call call_fric(own, [3d-6, 0d0], dt, 4d6, 0d0)
        turned = own
        own%lm = 2
        call call_fric(own, [3d-6, 0d0], dt, 4d6, 4d6)
        call expect(own%lm == 2 .and. all(own%statev == 0), 'a point that was open begins anew')
        ! x becomes y
        quarter = reshape([0d0, 1d0, -1d0, 0d0], [2, 2])
        call call_fric(turned, [0d0, 2d-6], dt, 4d6, 0d0, quarter)
        level = 4d6 * sigma * deflection(5d-6)
        call expect(abs(turned%tau(2) - level) < 1d-9 * level .and. abs(turned%tau(1)) < 1d-9 * level, 'directions that turn')
    end subroutine

    ! many points at once have the bits of one after another
    subroutine threads()
        type(point) :: one(400), many(400)
        integer :: i, k
        do i = 1, size(one)
            do k = 1, 20
                call call_fric(one(i), path(i, k), dt, 1d6 + 1d3 * i, 0d0)
            end do
        end do
        !$omp parallel do private(k) schedule(dynamic) num_threads(16)
        do i = 1, size(many)
            do k = 1, 20
                call call_fric(many(i), path(i, k), dt, 1d6 + 1d3 * i, 0d0)
            end do
        end do
        do i = 1, size(one)
            call expect(all(one(i)%tau == many(i)%tau) .and. all(one(i)%statev == many(i)%statev), 'threads')
        end do
    end subroutine

    pure function path(i, k) result(dgam)
        integer, intent(in) :: i, k
        real(8) :: dgam(2)
        dgam = 1d-6 * [sin(0.3d0 * k + i), cos(0.7d0 * k * i)]
    end function

    subroutine refusals()
        type(point) :: own
        real(8) :: zero
        zero = 0
        own%statev = 1d-6
        worst = 0
        call call_fric(own, [1d-6, zero / zero], dt, 1d6, 0d0)
        call expect(own%pnewdt < 1 .and. all(own%statev == 1d-6) .and. worst == -1, 'a slip that is no number')
        call call_fric(own, [0d0, 0d0], dt, 1d6, 0d0, law=7)
        call expect(worst == -3 .and. index(last_message, 'PROPS(1) = 7') == 1, 'a law that is not there')
    end subroutine

    ! a point that goes round a circle: local directions follow the slip, and the force is that of axes that stay
    subroutine explicit()
        real(8) :: f(2, 1), statev(3, 1), slip(3, 1), t1(3, 1), n(3, 1), stick(1), normal(1), area(1), prev(3, 1)
        real(8) :: along(2), step, expected(2)
        type(point) :: fixed
        integer :: i
        statev = 0
        n(:, 1) = [0d0, 0d0, 1d0]
        area = 2d0
        normal = 8d6
        stick = 1d30
        step = 1d-6
        prev = 0
        do i = 1, 61
            if (i == 61) stick = 1d3
            along = [cos(0.2d0 * i), sin(0.2d0 * i)]
            t1(:, 1) = [along, 0d0]
            slip(:, 1) = [step, 0d0, 0d0]
            call vfric(f, statev, 1, 1, 1, 1, 1, 1, 2, 3, 3, 1, 0, 0, 1, [7], [8], [1], reshape([1], [1, 1]), 0d0, 0d0, dt, &
                'PAIR', 'A', 'B', 0, slip, stick, prev, normal, 0d0, reshape([1d0], [1, 1]), t1, t1, t1, n, [1d0], area, &
                [0d0], reshape([0d0], [1, 1]), [0d0], reshape([0d0], [1, 1]))
            call call_fric(fixed, step * along, dt, 4d6, 0d0)
            expected = -2d0 * fixed%tau
            if (i == 61) expected = expected * (1d3 / sqrt(sum(expected**2)))
            ! from the local directions to axes that stay
            call expect(all(abs(f(1, 1) * along + f(2, 1) * [-along(2), along(1)] - expected) < 1d-9 * 1d6), 'VFRIC')
            call expect(all(abs(statev(1:2, 1) - fixed%statev) < 1d-17) .and. statev(3, 1) == 0, 'its states')
        end do
        call expect(abs(sqrt(sum(f**2)) - 1d3) < 1d-9, 'no more than what stops the slip')
    end subroutine
end program
